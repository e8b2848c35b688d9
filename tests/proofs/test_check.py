"""The check of proofs, and of the smallest of those that are kept; `make prove` checks all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.games.hextile.grid import Colour
from tests.proofs.__main__ import position_after
from tests.proofs.check import KEPT, Checker, NotProven
from tests.proofs.solver import Search
from tests.proofs.tree import Extraction, Line, Proof, to_proof, to_text

SMALLEST = KEPT / "palago-A1-dark.txt"


def smallest() -> Proof:
    return to_proof(SMALLEST.read_text())


def test_the_smallest_proof_is_complete() -> None:
    checker = Checker(smallest())
    checker.check()
    assert checker.tried > 2000


def test_a_proof_that_lacks_lines_is_refused() -> None:
    proof = smallest()
    (first,) = proof.lines
    with pytest.raises(NotProven) as refused:
        Checker(replace(proof, lines=[Line("", first.turn, first.then[:1])])).check()
    assert refused.value.args[0] == first.turn


def test_a_proof_with_a_turn_that_does_not_win_is_refused() -> None:
    proof = smallest()
    (first,) = proof.lines
    wrong = replace(first.then[0], turn="B1,C1")
    with pytest.raises(NotProven) as refused:
        Checker(replace(proof, lines=[Line("", first.turn, [wrong])])).check()
    assert refused.value.args[:3] == (first.turn, wrong.answer, wrong.turn)


def test_a_claim_without_a_proof_is_refused() -> None:
    with pytest.raises(NotProven):
        Checker(Proof("palago", ("A1",), "Light", [])).check()


def test_a_proof_is_taken_from_a_table_in_which_much_was_replaced() -> None:
    turns = ("A1", "J3,M3")
    position = position_after("palago size=12", turns)
    search = Search(position, Colour.O, size=8)
    while search.progress.won is None:
        search.go_on(50)
    assert search.progress.positions > 20
    Checker(Proof("palago size=12", turns, "Dark", Extraction(search).lines(position))).check()


@pytest.mark.parametrize("path", sorted(KEPT.glob("*.txt")), ids=lambda path: path.stem)
def test_proofs_are_kept_as_they_are_written(path: Path) -> None:
    assert to_text(to_proof(path.read_text())) == path.read_text()
