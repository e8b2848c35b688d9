"""Making puzzles: ``python -m tests.puzzles`` finds them in games of weak robots."""
