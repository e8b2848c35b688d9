"""A play-by-e-mail game server."""
