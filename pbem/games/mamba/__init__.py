"""Mamba (Christophe Berg, 2002): square board, two to four players, pieces that change owner by being turned.

RULES 1 to 16 are those of docs/rules-of-mamba.md.
"""
