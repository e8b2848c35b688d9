"""The web face: pages of boards and what is around them, an API for programs, and what serves both."""
