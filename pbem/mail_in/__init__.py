"""Bytes → letters, and what they show of their sender; decides nothing about games."""
