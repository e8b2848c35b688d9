"""Tests of pbem; they mirror its modules."""
