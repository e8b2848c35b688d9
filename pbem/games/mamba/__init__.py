"""Mamba (Christophe Berg, 2002): square board, two to four players, pieces that change owner by being turned."""
