"""Positions as text: drawn for mails, read back from figures. Strings in, strings out."""
