"""Notices → words. All wording lives in ``templates/``; this fills it in."""
