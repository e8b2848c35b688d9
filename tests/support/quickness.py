"""Settings that make a run of the tests short without changing what they prove."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

_MOST_STATEMENTS = 4000
TESTS = Path(__file__).parents[1]
_MEMORY = Path("/dev/shm")  # noqa: S108 - where Linux keeps files in memory; what is made there has names of its own
_ROOM = 2 * 1024**3


def work_in_memory() -> None:
    """Let temporary folders lie in memory, where a machine has room for them and programs may be run there.

    A disk is waited for at each commit, longer than the commit is reckoned; and what is cut off by a kill, which is all
    that tests do to a server, comes out the same.
    """
    if "TMPDIR" in os.environ or not os.access(_MEMORY, os.W_OK | os.X_OK):
        return
    if shutil.disk_usage(_MEMORY).free < _ROOM or os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC:
        return
    os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


def keep_bytecode() -> None:
    """Let it be written, whatever the caller's environment says: programs are started hundreds of times."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


def load_part(number: int, parts: int) -> None:
    """Load one of so many parts of the tests, counted from 0, before all are.

    Workers that all begin with the first file would each compile every file; so they find most of them compiled. What
    cannot be loaded is told of when its turn comes.
    """
    modules = (path.relative_to(TESTS.parent).with_suffix("") for path in sorted(TESTS.rglob("test_*.py")))
    for module in list(modules)[number::parts]:
        with suppress(BaseException):
            import_module(".".join(module.parts))


def share_statements() -> None:
    """Let all engines of a kind share the statements that were written out for one: each test has an engine of its own.

    Dialects of a kind are alike here, and are told apart by their kind alone.
    """
    statements: LRUCache[Any, Any] = LRUCache(_MOST_STATEMENTS)
    for kind in (SQLiteDialect_pysqlite, PGDialect_psycopg):
        kind.__eq__ = _is_of_same_kind  # type: ignore[method-assign]
        kind.__hash__ = _hash_of_kind  # type: ignore[method-assign,assignment]
    event.listen(Engine, "engine_connect", lambda connection: connection.execution_options(compiled_cache=statements))


def _is_of_same_kind(one: object, other: object) -> bool:
    return type(one) is type(other)


def _hash_of_kind(one: object) -> int:
    return hash(type(one))
