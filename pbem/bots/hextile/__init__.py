"""The games of hexagonal tiles on integers alone: rules as tables, a board as one array, every change undone."""
