"""How boards begin: challenges, seeks, and to how many somebody may be challenged."""
