"""Proofs of who wins: a solver for Lambo and Palago, one for small supplies, and the check of what they found."""
