"""The cost of every command among 10,000, 100,000 and a million players, with ten boards each, on PostgreSQL.

The servers are those of `tests.bench.growth_of_commands`, and so is the way to measure. One board of ten is in play;
the others were given up after two moves. A letter and a mail of each of the last boards are on record. Before the
figures tables tell how long PostgreSQL took to make each database, how large its tables and indexes are, what each
command costs, and how long a vacuum takes after a day on which there was a move at every board.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack

from sqlalchemy import text

from pbem.cli.settings import configure_logs
from pbem.storage.engine import writing
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
_DAY = (
    (
        "boards",
        (
            "UPDATE boards SET revision = revision + 1, event_number = event_number + 1,"
            " fingerprint = md5(number::text), clock_at = clock_at + interval '1 day' WHERE active"
        ),
    ),
    ("inbox", "UPDATE inbox SET lease_owner = 'worker', attempts = 2 WHERE id % 3 = 0"),
    ("inbox", "UPDATE inbox SET lease_owner = NULL, state = 'done' WHERE id % 3 = 0"),
    ("inbox", "DELETE FROM inbox WHERE id % 3 = 1"),
    ("outbox", "UPDATE outbox SET lease_owner = 'delivery', attempts = 2 WHERE id % 3 = 0"),
    ("outbox", "UPDATE outbox SET lease_owner = NULL, state = 'sent' WHERE id % 3 = 0"),
    ("outbox", "DELETE FROM outbox WHERE id % 3 = 1"),
)
"""The work of a day before a vacuum: a move at each board in play, a letter and a mail of each player handled, and
as many of an earlier day forgotten. Events are only added."""
_UPDATED = "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = :name"


def measure(extent: Extent) -> Iterator[Figure]:
    """A figure for each command: its cost among the most players against that among the fewest."""
    configure_logs("error")
    sizes = [extent.pick(100, 10_000, 20) * factor for factor in (1, 10, 100)]
    with running_server(LASTING) as server, ExitStack() as stack:
        extent.check(server.folder)
        towns = [_made(server, stack, extent, players) for players in sizes]
        towns[-1].row("SELECT pg_stat_reset()")
        found = visited(towns, extent.pick(2, 9, 1))
        print(*_table_of_commands(sizes, found), "", sep="\n")
        print(*_table_of_updates(towns[-1]), "", sep="\n", flush=True)
        print(*_table_of_vacuums(sizes, [_vacuumed(town) for town in towns]), "", sep="\n", flush=True)
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


def _table_of_commands(sizes: Sequence[int], found: Mapping[str, tuple[list[list[float]], list[int]]]) -> Sequence[str]:
    heads = " | ".join(f"{players:,} players" for players in sizes)
    lines = [f"| ms | {heads} | last ÷ first |", f"|---{'|---' * len(sizes)}|---|"]
    for name, (times, _) in found.items():
        least = [min(each) for each in times]
        lines.append(f"| {name} | {' | '.join(f'{each:.1f}' for each in least)} | {least[-1] / least[0]:.2f} |")
    return lines


def _table_of_updates(town: BenchTown) -> Sequence[str]:
    """The updates that the letters made, and the share of them that needed no new entry in an index."""
    lines = ["| table | rows updated by the letters | without a new index entry |", "|---|---|---|"]
    for name in _TABLES:
        made, hot = town.row(_UPDATED, name=name)
        if made:
            lines.append(f"| {name} | {made:,} | {hot / made:.0%} |")
    return lines


def _vacuumed(town: BenchTown) -> dict[str, tuple[int, float]]:
    """For each table the dead rows of a day, and the seconds of a vacuum."""
    dead: dict[str, int] = {}
    for table, statement in _DAY:
        with writing(town.server.engine) as connection:
            dead[table] = dead.get(table, 0) + connection.execute(text(statement)).rowcount
    found = {}
    with town.server.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        for table, rows in dead.items():
            start = time.monotonic()
            connection.execute(text(f"VACUUM ANALYZE {table}"))
            found[table] = (rows, time.monotonic() - start)
    return found


def _table_of_vacuums(sizes: Sequence[int], found: Sequence[Mapping[str, tuple[int, float]]]) -> Sequence[str]:
    heads = " | ".join(f"{players:,} players: dead rows | s | µs a row" for players in sizes)
    lines = [f"| table | {heads} |", f"|---{'|---' * 3 * len(sizes)}|"]
    for table in found[0]:
        cells = [
            f"{rows:,} | {took:.2f} | {took / max(1, rows) * _MILLION:.1f}"
            for rows, took in (of[table] for of in found)
        ]
        lines.append(f"| {table} | {' | '.join(cells)} |")
    return lines
