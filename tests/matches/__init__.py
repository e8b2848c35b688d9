"""Matches between opponents: what their strength is, and what each part of the search is worth."""
