"""Measure the figures of `docs/performance.md`: ``python -m tests.bench [figure …] [--quick] [--json FILE]``.

Printed are the machine and the table; the file has each round of each figure. Without names all figures are measured,
with ``--quick`` those that together take half a minute.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from tests.bench.figures import Extent, Figure, table
from tests.bench.machine import machine, refuse_memory

FIGURES = (
    "accepting",
    "one_move",
    "round_trip",
    "committing",
    "growth_of_commands",
    "databases",
    "openings",
    "latency",
    "memory",
    "first_move",
    "start_up",
)
"""Modules, each with a function ``measure``."""
SLOW = ("growth_of_commands", "databases", "first_move", "start_up")
"""Figures that take some time even in few rounds: ``--quick`` measures them only when they are named."""
ON_DEMAND = ("million", "partitions", "hall_moves")
"""Figures that take an hour, or need OpenSpiel, and are measured only when they are named."""
_BUILD = Path(__file__).parents[2] / "build"


def _figure(name: str) -> str:
    if name not in FIGURES + ON_DEMAND:
        raise argparse.ArgumentTypeError(f"no such figure: {name}")
    return name


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure the figures of the server.")
    known = f"of {', '.join(FIGURES)}, all by default; or {', '.join(ON_DEMAND)}"
    parser.add_argument("figure", nargs="*", type=_figure, help=known)
    parser.add_argument("--quick", action="store_true", help="few rounds and letters, to compare while one works")
    parser.add_argument("--letters", type=int, default=20_000, help="how many the figure of the memory sends")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything there, too")
    return parser.parse_args()


def _measure(names: list[str], extent: Extent) -> Iterator[Figure]:
    for name in names or (each for each in FIGURES if not (extent.quick and each in SLOW)):
        yield from import_module(f"tests.bench.{name}").measure(extent)


def main() -> int:
    """Measure, print, and write the file."""
    arguments = _arguments()
    _BUILD.mkdir(exist_ok=True)
    refuse_memory(_BUILD)
    with tempfile.TemporaryDirectory(dir=_BUILD, prefix="bench-") as folder:
        extent = Extent(Path(folder), arguments.quick, arguments.letters)
        about = machine(extent.folder)
        print(*(f"{name}: {value}" for name, value in about.items()), sep="\n", end="\n\n", flush=True)
        figures = list(_measure(arguments.figure, extent))
    print(table(figures))
    about["load at the end"] = os.getloadavg()[0]
    if arguments.json is not None:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        whole = {"machine": about, "quick": extent.quick, "figures": [figure.for_json() for figure in figures]}
        arguments.json.write_text(json.dumps(whole, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
