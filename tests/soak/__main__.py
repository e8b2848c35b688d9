"""Mixed load and all kinds of trouble, for minutes: ``python -m tests.soak [--seconds 300] [--seed …]``.

Printed is what was found; ``build/soak.json`` has the figures, ``build/soak`` the logs of each run.
"""

from __future__ import annotations

import argparse
import json
import secrets
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.bench.machine import machine, refuse_memory
from tests.soak.logs import Fate, Logs
from tests.soak.programme import Plan, SoakResult, open_folder, run
from tests.support.databases import POSTGRESQL, SQLITE

_BUILD = Path(__file__).parents[2] / "build"
_SHOWN = 20
"""Findings that are printed."""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="Put the server to the test.")
    parser.add_argument("--seconds", type=float, default=300, help="how long there is trouble on each database")
    parser.add_argument("--databases", default=f"{SQLITE},{POSTGRESQL}", help="on which, one after the other")
    parser.add_argument("--seed", type=int, default=secrets.randbits(31), help="to do the same again")
    parser.add_argument("--tables", type=int, default=8, help="tables of players who write at the same time")
    return parser.parse_args()


def _run(plan: Plan, console: Console) -> SoakResult:
    columns = TextColumn("{task.description}"), TextColumn("{task.fields[so_far]}"), TimeElapsedColumn()
    with open_folder() as folder, Progress(*columns, console=console) as progress:
        refuse_memory(folder)
        task = progress.add_task(plan.database, so_far="", total=None)
        return run(plan, folder, lambda logs: progress.update(task, so_far=_so_far(logs)))


def _run_as_far_as_may_be(plan: Plan, console: Console) -> SoakResult:
    """Fill no disk where none can be mounted."""
    try:
        return _run(plan, console)
    except pytest.skip.Exception as lacking:
        console.print(f"{plan.database}: {lacking}; no disk is filled")
        return _run(replace(plan, mebibytes=0), console)


def _so_far(logs: Logs) -> str:
    accepted = sum(letter.fate == Fate.ACCEPTED for letter in logs.sent)
    latest = logs.faults[-1].kind if logs.faults else "none"
    return f"{accepted} letters, {len(logs.arrived)} mails, {len(logs.faults)} troubles (the last: {latest})"


def _cells(outcome: SoakResult) -> Iterator[tuple[str, str]]:
    for name, value in outcome.for_json().items():
        if name != "wrong":
            yield (
                name,
                "\n".join(f"{key}: {count}" for key, count in value.items()) if isinstance(value, dict) else str(value),
            )


def _shown(outcomes: list[SoakResult], console: Console) -> None:
    table = Table("", *(outcome.plan.database for outcome in outcomes), show_lines=True)
    for rows in zip(*map(_cells, outcomes), strict=True):
        table.add_row(rows[0][0], *(value for _, value in rows))
    console.print(table)
    for outcome in outcomes:
        wrong = outcome.findings.wrong
        console.print(f"{outcome.plan.database}: {len(wrong) or 'nothing'} wrong")
        for each in wrong[:_SHOWN]:
            console.print(f"  {each}", markup=False, highlight=False)


def main() -> int:
    """Run, print, and write the files."""
    arguments, console = _arguments(), Console()
    console.print(f"seed {arguments.seed}")
    _BUILD.mkdir(exist_ok=True)
    about: dict[str, Any] = machine(_BUILD)
    outcomes = []
    for database in arguments.databases.split(","):
        plan = Plan(database, arguments.seconds, arguments.seed, arguments.tables)
        outcome = _run_as_far_as_may_be(plan, console)
        outcomes.append(outcome)
        place = _BUILD / "soak" / database
        outcome.logs.write(place)
        (place / "server.log").write_text("\n".join(outcome.printed) + "\n")
    _shown(outcomes, console)
    whole = {"machine": about, "runs": [outcome.for_json() for outcome in outcomes]}
    (_BUILD / "soak.json").write_text(json.dumps(whole, indent=2) + "\n")
    return 1 if any(outcome.findings.wrong for outcome in outcomes) else 0


if __name__ == "__main__":
    raise SystemExit(main())
