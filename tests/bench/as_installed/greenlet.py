"""Hides the library of this name, which comes with the tests: structlog would load it, and no operator has it."""

raise ImportError("hidden")
