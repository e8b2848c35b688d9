"""How subcommands end: their exit codes, and a sentence where something is wrong."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

import click

from pbem.config import BadSetting, Settings

FAILED, MISUSE, TRY_LATER = 1, 2, 75
"""Exit codes; the last is EX_TEMPFAIL of sysexits.h."""
OVERTAKEN = "the server was quicker again and again; please try again"


def read_settings(*, serving: bool = False) -> Settings:
    """The settings of the environment, with what a server needs if one is to run; a wrong one ends the program."""
    try:
        return Settings.read(os.environ, serving=serving)
    except BadSetting as wrong:
        end(str(wrong), MISUSE)


def end(sentence: str, code: int = FAILED) -> NoReturn:
    """End the program with a sentence on the standard error, or a line about each of several things."""
    for line in sentence.splitlines():
        click.echo(f"pbem: {line}", err=True)
    sys.exit(code)
