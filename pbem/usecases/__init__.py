"""One handler for each command; no SQL, no e-mail, no wording."""
