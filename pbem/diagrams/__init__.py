"""Positions as text, drawn for mails and read back, and as pictures; a package for each family of games."""
