"""Things that tests share: databases, and programs from outside."""
