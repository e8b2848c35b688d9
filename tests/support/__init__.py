"""What tests share: databases, and programs from outside."""
