"""SQLite or PostgreSQL behind the ports of the use cases."""
