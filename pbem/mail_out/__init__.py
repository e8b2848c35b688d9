"""Notices → bytes → the relay."""
