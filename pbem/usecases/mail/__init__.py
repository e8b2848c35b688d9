"""What becomes of the mails: how far they reach, how many there may be, and those of once a day."""
