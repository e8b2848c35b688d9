"""A page and health; the graphical board comes here."""
