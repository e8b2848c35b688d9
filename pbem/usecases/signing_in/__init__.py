"""The doors of the web and of programs: sessions, tokens, and how often strangers may knock."""
