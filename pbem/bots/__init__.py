"""Computer opponents: search and playouts, seeded and with budgets in playouts; they know the games alone.

In `hextile` and `mamba` the rules stand once more, for boards of integers, in modules that are called as those of
`pbem.games` whose work they do.
"""
