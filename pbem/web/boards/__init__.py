"""A board on a page: drawn, stepped through, drafted on, played on, followed."""
