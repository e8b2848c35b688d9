"""The ruler itself: what it computes from rounds, and that its parts can still talk to the server."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from pbem.commands.verb import Group
from pbem.commands.verbs import VERBS, verb_of
from tests.bench.__main__ import FIGURES as NAMES
from tests.bench.__main__ import ON_DEMAND
from tests.bench.client import SESSIONS, letter, send
from tests.bench.figures import Extent, Figure, table
from tests.bench.floor import Floor
from tests.bench.growth_of_commands import LETTERS, YES
from tests.bench.machine import NotOnDisk, refuse_memory
from tests.bench.play import dealt, mixed
from tests.bench.town import OTHERS_BOARD, BenchTown, Extents
from tests.support.tallies import kept_and_counted

FIGURES = (Path(__file__).parents[2] / "docs/performance.md").read_text()


def figure(target: float, *, at_most: bool = False, of_ratio: bool = True) -> Figure:
    return Figure("moves", "text", "ms", [10, 40, 30], [20, 20, 20], target, at_most=at_most, of_ratio=of_ratio)


def test_a_figure_is_the_median_of_its_rounds_each_against_its_own_floor() -> None:
    assert figure(1).ratios == [0.5, 2, 1.5]
    assert figure(1).line() == "| moves | text | 30 ms | 20 ms | 1.5 | 0.5 to 2 | ≥ 1 | yes |  |"
    assert {line.count("|") for line in table([figure(1)]).splitlines()} == {10}


@pytest.mark.parametrize(
    ("of", "reached"),
    [
        (lambda: figure(1.6), False),
        (lambda: figure(1.5), True),
        (lambda: figure(1.4, at_most=True), False),
        (lambda: figure(30, at_most=True, of_ratio=False), True),
        (lambda: figure(29, at_most=True, of_ratio=False), False),
    ],
)
def test_a_target_is_reached_from_its_own_side(of: Callable[[], Figure], reached: bool) -> None:
    assert of().is_reached is reached


def test_a_session_sends_the_turns_of_a_board_in_order() -> None:
    games = [[letter(f"p{board}", f"{board} {turn}") for turn in range(3)] for board in range(SESSIONS + 1)]
    first, *others = mixed(games)
    assert first == [games[board][turn] for turn in range(3) for board in (0, SESSIONS)]
    assert others == games[1:SESSIONS]


def test_the_growth_of_commands_of_every_group_is_measured() -> None:
    verbs = {verb_of(word) for _, _, subject in LETTERS for word in subject.split()[:2]}
    assert {VERBS[verb].group for verb in verbs if verb is not None} == set(Group)
    assert f"| {len(LETTERS)} letters, with commands of every group among them" in FIGURES
    assert {name.removesuffix(", confirmed") for name, _, subject in LETTERS if subject is YES} == {
        "add",
        "change",
        "signoff",
    }, "the commands that ask back in any case"


def test_what_is_counted_in_a_town_is_what_is_there(tmp_path: Path) -> None:
    """The copies that the database makes of a few boards are counted as if they had been played."""
    town = BenchTown(tmp_path / "town", Extents(players=40, boards=203, in_play=10, letters=30))
    kept, counted = kept_and_counted(town.server.engine)
    assert town.row("SELECT count(*) FROM boards WHERE number >= :n", n=OTHERS_BOARD)[0] == 203
    assert town.row("SELECT count(*) FROM boards WHERE number >= :n AND active", n=OTHERS_BOARD)[0] == 21
    assert town.row("SELECT count(*) FROM outbox WHERE message_id LIKE '<%@example.org>'")[0] == 30
    assert kept == counted
    town.close()


def test_memory_is_no_disk() -> None:
    in_memory = [line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines() if " tmpfs " in line]
    if not in_memory:
        pytest.skip("nothing of the memory is a folder here")
    with pytest.raises(NotOnDisk):
        refuse_memory(Path(in_memory[0]))


def test_the_floor_takes_letters_and_logs_them(tmp_path: Path) -> None:
    with Floor(tmp_path, keeps_log=True) as floor:
        send(floor.port, dealt([letter("alice", "help") for _ in range(SESSIONS + 1)]))
        assert [address for _, address in floor.arrivals()] == ["pbem@localhost"] * (SESSIONS + 1)


@pytest.mark.system
@pytest.mark.parametrize("name", sorted({*NAMES, *ON_DEMAND} - {"hall_moves"}))  # tests/hall has that
def test_a_figure_comes_out_of_everything_real(name: str, tmp_path: Path) -> None:
    figures = list(import_module(f"tests.bench.{name}").measure(Extent(tmp_path, is_trial=True)))
    assert figures
    for each in figures:
        assert min(*each.ours, *each.floor, each.ratio) > 0, each
        assert each.line() in table(figures)
