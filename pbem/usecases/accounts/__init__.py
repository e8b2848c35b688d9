"""Accounts: signing up and off, addresses, passwords, preferences, vacations."""
