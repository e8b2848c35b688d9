"""What acts: loops that take one row, make one transaction and go on; and who carries out what others ask for.

The latter are the clerk, for web, robots and clocks, and the desk, for the operator.
"""
