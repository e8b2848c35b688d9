"""The web face: pages of boards and around them, an API for programs, and the server of both."""
