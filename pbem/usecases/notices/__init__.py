"""Who is told what about a board."""
