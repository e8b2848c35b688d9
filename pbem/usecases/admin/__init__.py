"""What an operator does and should look after."""
