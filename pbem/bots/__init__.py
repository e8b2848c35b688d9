"""Computer opponents: search and playouts, seeded and with budgets in playouts; they know the games alone.

The server has robots play, games analysed and puzzles answered with them. `finding` and `forcing` make the puzzles that
come with it, for the script `tests.puzzles` alone. `tests.matches`, which has settled the numbers of the search, plays
with what the server plays with. `play_many` in `hextile.playouts` plays as many games as compiled tests want.

In `hextile` and `mamba` the rules stand once more, for boards of integers, in modules that are called as those of
`pbem.games` whose work they do.
"""
