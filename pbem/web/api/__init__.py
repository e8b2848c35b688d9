"""The API for programs: answers in JSON, and commands."""
