"""The hall: classic games whose rules OpenSpiel knows, with the extra ``hall``.

They are registered by entry points, as games from elsewhere are; nothing else in the server knows of them.
"""
