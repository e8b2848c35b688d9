"""The server's own facts: players, boards, letters, notices; pure, like the rules."""
