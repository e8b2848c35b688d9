"""Compiled templates: each is compiled once in a process, however many servers and tools are made in it."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket


class _Compiled(BytecodeCache):
    """Keeps them in memory; a template that has changed is another one."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill in what is kept of a template, if anything is."""
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template."""
        self._kept[bucket.key] = bucket.bytecode_to_string()


COMPILED = _Compiled()
"""Of all `Wording` of this process, which have the same functions and filters."""


class Templates(Environment):
    """Templates of which none has globals of its own, so that all share those of the environment as they are.

    Jinja would chain a mapping of the template's own before them, and go through the chain for each part of a mail.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals of a template."""
        return super().make_globals(d) if d else self.globals
