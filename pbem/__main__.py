"""``python -m pbem``."""

from __future__ import annotations

from pbem.cli.main import main

main()
