"""The command language: text in, frozen dataclasses out; knows no game and no player."""
