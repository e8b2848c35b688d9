"""The only place where the parts meet: settings in, a server out.

The modules are apart so that each tool of the command line loads only what it needs.
"""
