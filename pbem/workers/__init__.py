"""What acts, by itself or for the operator: take one row, one transaction, next."""
