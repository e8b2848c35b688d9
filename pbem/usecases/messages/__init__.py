"""What players write: to each other, to all, to the operator."""
