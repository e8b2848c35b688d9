"""Who is speaking, what shows it, and who is asked back before anything happens."""
