"""Computer opponents: search and playouts, seeded and with budgets in playouts; they know the games alone."""
