"""Bytes → letters, and evidence of their sender; decides nothing about games."""
