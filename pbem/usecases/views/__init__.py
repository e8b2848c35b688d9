"""What may be looked at: boards, positions to come, players, records."""
