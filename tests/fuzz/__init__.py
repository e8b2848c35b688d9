"""Letters made by chance."""
