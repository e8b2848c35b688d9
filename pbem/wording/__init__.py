"""Notices → words. All wording is in ``templates/``; this fills it in."""
