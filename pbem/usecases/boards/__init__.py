"""What happens at a board: moves, offers, clocks, and what follows from them."""
