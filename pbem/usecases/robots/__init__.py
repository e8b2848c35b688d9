"""Robots: opponents, analyses of finished boards, puzzles."""
