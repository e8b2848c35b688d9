"""The pages around the boards."""
