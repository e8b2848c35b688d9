"""Boards that somebody watches without playing there, and less mail of those where he plays."""
