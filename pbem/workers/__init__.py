"""Loops: take one row, one transaction, next."""
