"""The cost of every command among 10,000, 100,000 and a million players, with ten boards each, on PostgreSQL.

The servers are those of `tests.bench.growth_of_commands`, and so is the way to measure. One board of ten is in play;
the others were given up after two moves. A letter and a mail of each of the last boards are on record. Before the
figures a table tells how long PostgreSQL took to make each database, and how large its tables and indexes are.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from pbem.cli.settings import configure_logs
from tests.bench.figures import Extent, Figure
from tests.bench.growth_of_commands import TARGET, visited
from tests.bench.play import PICTURE
from tests.bench.town import BenchTown, Extents
from tests.support.databases import model_on
from tests.support.postgresql import LASTING, Server, running_server

_BOARDS_OF_EACH = 10
_IN_PLAY = 10
_LETTERS_OF_EACH = 3
"""Those of the last month or so: letters and mails do not stay."""
_TURNS = 2
_TABLES = ("players", "boards", "seats", "events", "ratings", "rating_changes", "played", "inbox", "outbox")
_SIZES = "SELECT pg_table_size(c.oid), pg_indexes_size(c.oid), reltuples FROM pg_class c WHERE relname = :name"
_MILLION = 1_000_000


def measure(extent: Extent) -> Iterator[Figure]:
    """A figure for each command: its cost among the most players against that among the fewest."""
    configure_logs("error")
    sizes = [extent.pick(100, 10_000, 20) * factor for factor in (1, 10, 100)]
    with running_server(LASTING) as server, ExitStack() as stack:
        extent.check(server.folder)
        towns = [_made(server, stack, extent, players) for players in sizes]
        found = visited(towns, extent.pick(2, 7, 1))
    of_size = f"{sizes[-1]:,} players and {sizes[-1] * _BOARDS_OF_EACH:,} boards ÷ {sizes[0]:,} and {sizes[0] * 10:,}"
    figures = []
    for name, (times, _) in found.items():
        few, some, many = (min(each) for each in times)
        facts = {f"ms among {sizes[1]:,}": some}
        figures.append(Figure(f"{name}, {of_size}", PICTURE, "ms", [many], [few], TARGET, at_most=True, facts=facts))
    yield from sorted(figures, key=lambda figure: -figure.ratio)


def _made(server: Server, stack: ExitStack, extent: Extent, players: int) -> BenchTown:
    extents = Extents(players, players * _BOARDS_OF_EACH, _IN_PLAY, players * _LETTERS_OF_EACH)
    url, start = stack.enter_context(server.fresh_database(model_on(server))), time.monotonic()
    town = BenchTown(extent.folder / f"of-{players}", extents, url, _TURNS)
    stack.callback(town.close)
    print(f"{players:,} players, {extents.boards:,} boards: made in {time.monotonic() - start:.0f} s", flush=True)
    print(*_table_of_sizes(town), sep="\n", end="\n\n", flush=True)
    return town


def _table_of_sizes(town: BenchTown) -> Sequence[str]:
    lines = ["| table | rows, million | MB | indexes, MB |", "|---|---|---|---|"]
    whole = [0.0, 0.0]
    for name in _TABLES:
        rows, indexes, count = (float(each) for each in town.row(_SIZES, name=name))
        whole = [whole[0] + rows, whole[1] + indexes]
        lines.append(f"| {name} | {count / _MILLION:.2f} | {rows / _MILLION:,.0f} | {indexes / _MILLION:,.0f} |")
    return [*lines, f"| all of these | | {whole[0] / _MILLION:,.0f} | {whole[1] / _MILLION:,.0f} |"]
