"""Cameron Browne's hexagonal tile games: one family, one shared ground."""
