"""The loops, which take one row, make one transaction and go on; and the execution of others' requests.

The latter are the clerk, for web, robots and clocks, and the desk, for the operator.
"""
