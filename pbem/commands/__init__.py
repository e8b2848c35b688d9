"""All that can be asked of the server, as frozen dataclasses, and the language that players write it in.

Knows no game and no player.
"""
