"""Plans by the rules alone: how they are read, checked, matched and said again in other words."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import PlayerError
from pbem.games.hextile.mambo import MAMBO
from pbem.games.hextile.position import Position
from pbem.games.hextile.superbo import SUPERBO
from pbem.games.mamba.game import MambaGame
from pbem.games.plans import (
    MOST_BRANCHES,
    Branch,
    BranchImpossible,
    BranchPastEnd,
    ElseNotLast,
    PlanUnreadable,
    TooManyBranches,
    TurnTooLong,
    check,
    one_line,
    read_branches,
    reply_to,
    tree,
    with_added,
)

PLAN = "if C4,K5 then G2,H7; if D8,R10 then A7,V6 (if M3,* then W1,X2; else T4,U1)\nelse K7,M2"


def after(*turns: str) -> Position:
    position: Position = SUPERBO.begin({}, 2)
    for turn in turns:
        position = SUPERBO.read_input(position, turn).position
    return position


def test_a_plan_is_read_drawn_and_said_again_on_one_line() -> None:
    branches = read_branches(PLAN)
    assert list(tree(branches)) == [
        "if C4,K5 then G2,H7",
        "if D8,R10 then A7,V6 (",
        " if M3,* then W1,X2",
        " else T4,U1)",
        "else K7,M2",
    ]
    assert read_branches(one_line(branches)) == branches


def _trees(depth: int) -> st.SearchStrategy[tuple[Branch, ...]]:
    behind = _trees(depth - 1) if depth else st.just(())
    move = st.sampled_from(["C4,K5", "*,A1", "move i6-i5", "d1-d7 g7", "e4>f4 / cut e4", "wS1 bQ/"])
    reply = st.sampled_from(["G2,H7", "pass", "lay f5>e4 move d3-c2"])
    last = st.lists(st.builds(Branch, st.just(""), reply, behind), max_size=1)
    others = st.lists(st.builds(Branch, move, reply, behind), max_size=3)
    return st.builds(lambda some, end: (*some, *end), others, last)


@given(_trees(3).filter(bool), st.sampled_from(["\n", " ", "\n\n    ", ";\n"]))
def test_a_drawn_plan_is_read_as_the_plan_that_it_shows(branches: tuple[Branch, ...], between: str) -> None:
    assert read_branches(between.join(tree(branches))) == branches


@given(_trees(2), _trees(2))
def test_a_plan_to_which_branches_were_added_is_read_as_it_is_kept(
    branches: tuple[Branch, ...], more: tuple[Branch, ...]
) -> None:
    added = with_added(branches, (*more, Branch("", "pass")))
    assert read_branches(one_line(added)) == added


@pytest.mark.parametrize(
    "same",
    [
        "IF c4,k5 THEN g2,h7 ; ELSE k7,m2.",
        "if c4,k5: then: g2,h7\n;;\nelse k7,m2",
        "if c4,k5 -> g2,h7\notherwise k7,m2",
        "wenn c4,k5 dann g2,h7 sonst k7,m2",
        "si c4,k5 alors g2,h7\nsinon k7,m2;",
        "if c4,k5 then g2,h7 if * then k7,m2",
    ],
)
def test_people_may_write_it_in_several_ways(same: str) -> None:
    assert read_branches(same) == (Branch("c4,k5", "g2,h7"), Branch("", "k7,m2"))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", PlanUnreadable),
        ("if", PlanUnreadable),
        ("if a1", PlanUnreadable),
        ("if a1 then", PlanUnreadable),
        ("if a1 then b2 (if c3 then d4", PlanUnreadable),
        ("if a1 then b2) else c3", PlanUnreadable),
        ("b2 if a1", PlanUnreadable),
        ("if a1 then else b2", PlanUnreadable),
        ("else a1; if b2 then c3", ElseNotLast),
        ("; ".join(["if a1 then b2"] * (MOST_BRANCHES + 1)), TooManyBranches),
        ("if a1 then b2 (" * 1000, TooManyBranches),
    ],
)
def test_what_is_no_plan_is_refused(text: str, wrong: type[PlayerError]) -> None:
    with pytest.raises(wrong):
        read_branches(text)


def test_each_reply_is_played_on_the_position_to_which_its_condition_leads() -> None:
    position = after("b3")
    check(read_branches("if c4,k5 then g2,h7 (if d8,r10 then a1,f4)"), SUPERBO, position, (0,))
    for text, said in (
        ("if c4,k5 then g2", "g2"),
        ("if c4,c4 then g2,h7", "c4,c4"),
        ("if c4,* then c9", ""),
        ("if c4,k5 then g2,h7 (if d8,r10 then a1)", "a1"),
        ("if c4,k5 then g2,h7 (if d8 then a1,f4)", "d8"),
    ):
        if said:
            with pytest.raises(BranchImpossible) as refused:
                check(read_branches(text), SUPERBO, position, (0,))
            assert refused.value.facts["said"] == said
        else:
            check(read_branches(text), SUPERBO, position, (0,))  # nobody knows yet on which board
    won = "if c4,k5 then g2,h7 (if d8,r10 then a7,v6 (else k7,m2))"
    with pytest.raises(BranchPastEnd):
        check(read_branches(won), SUPERBO, position, (0,))


def test_tiles_in_another_order_are_the_same_and_the_reply_means_the_same_places() -> None:
    lot, base = random.Random(5), after("b3", "c4,k5", "g2,h7")
    tried = 0
    firsts = list(base.legal())
    while tried < 60:
        one = lot.choice(firsts)
        half = base.play(one)
        other = lot.choice(half.legal()) if half.mid_turn else None
        try:
            swapped = base.play(other).play(one) if other else None
        except PlayerError:
            continue
        if swapped is None or other is None or swapped.outcome is not None:
            continue
        straight = half.play(other)
        begun = lot.choice(straight.legal())
        reply = SUPERBO.step_text(straight, begun)
        if straight.play(begun).mid_turn:
            reply += "," + SUPERBO.step_text(straight.play(begun), lot.choice(straight.play(begun).legal()))
        condition = SUPERBO.input_text(straight, (one, other)).move
        found = reply_to(read_branches(f"if {condition} then {reply}"), SUPERBO, base, [(other, one)], swapped)
        assert found is not None
        meant, made = SUPERBO.read_input(straight, reply), SUPERBO.read_input(swapped, found.text)
        assert made.position.contents == meant.position.contents
        tried += 1


def test_the_first_branch_that_fits_counts_and_a_star_is_any_tile() -> None:
    base = after("b3")
    played = SUPERBO.read_input(base, "c4,k5")

    def text(plan: str) -> str | None:
        found = reply_to(read_branches(plan), SUPERBO, base, [played.steps], played.position)
        return None if found is None else found.text.lower()

    assert text("if c4,k5 then g2,h7; else d1,c2") == "g2,h7"
    assert text("if d1,c2 then a1,f4; if c4,* then g2,h7") == "g2,h7"
    assert text("if c4,*,* then g2,h7") is None
    assert text("if *,* then g2,h7") == "g2,h7"
    assert text("if d1,* then g2,h7") is None
    with pytest.raises(PlayerError):  # it fits nothing, and its owner is told why
        text("else k5,m2")
    assert text("if d1,c2 then a1,f4") is None


def test_a_star_counts_within_several_inputs_and_alone_is_any_of_them() -> None:
    base = after("b3")
    first = SUPERBO.read_input(base, "c4,k5")
    second = SUPERBO.read_input(first.position, "g2,h7")

    def text(plan: str) -> str | None:
        inputs = [first.steps, second.steps]
        found = reply_to(read_branches(plan), SUPERBO, base, inputs, second.position)
        return None if found is None else found.text.lower()

    assert text("if c4,* / g2,* then d8,r10") == "d8,r10"
    assert text("if c4,k5 / * then d8,r10") == "d8,r10"
    assert text("if * / g2,h7 then d8,r10") == "d8,r10"
    assert text("if c4,* / h7,d8 then d8,r10") is None
    assert text("if c4,* then d8,r10") is None
    assert text("if * / * / * then d8,r10") is None


def test_a_star_for_which_no_tile_is_left_is_refused() -> None:
    with pytest.raises(BranchImpossible) as refused:
        check(read_branches("if c4,k5,* then g2,h7"), SUPERBO, after("b3"), (0,))
    assert refused.value.facts["said"] == "c4,k5,*"
    check(read_branches("if *,* then g2,h7"), SUPERBO, after("b3"), (0,))
    with pytest.raises(ElseNotLast) as behind_star:
        read_branches("if * then g2,h7; else k7,m2")
    assert behind_star.value.facts["branch"] == "if * then g2,h7"


@pytest.mark.parametrize(
    "plan",
    [
        "if *,*,* then g2,h7",
        "if c4,*,* then g2,h7",
        "if c4,k5,* then g2,h7",
        "if c4,k5 / *,*,* then g2,h7",
        "if * / *,*,* then g2,h7",
        "else g2,h7 (if *,*,* then d8,r10)",
        "if c4,* then g2,h7 (if d8,*,* then a1,f4)",
    ],
)
def test_a_condition_that_is_longer_than_any_turn_is_refused(plan: str) -> None:
    with pytest.raises(BranchImpossible) as refused:
        check(read_branches(plan), SUPERBO, after("b3"), (0,))
    assert isinstance(refused.value.__cause__, TurnTooLong)


def test_a_condition_with_stars_has_as_many_parts_as_some_turn_of_its_position() -> None:
    begun = SUPERBO.begin({}, 2)
    with pytest.raises(BranchImpossible):
        check(read_branches("if *,* then c4,k5"), SUPERBO, begun, (1,))  # the first turn has one tile
    check(read_branches("if * then c4,k5"), SUPERBO, begun, (1,))
    check(read_branches("else c4,k5 (if *,* then g2,h7)"), SUPERBO, begun, (1,))
    single = SUPERBO.begin({"single": True}, 2)
    for plan in ("if *,* then c4", "else c4 (if *,* then g2)"):
        with pytest.raises(BranchImpossible):
            check(read_branches(plan), SUPERBO, single, (1,))
    mambo = MAMBO.read_input(MAMBO.begin({"swap": True}, 2), "a1").position
    check(read_branches("if swap / * then c4; if * then c4"), MAMBO, mambo, (0,))
    with pytest.raises(BranchImpossible):
        check(read_branches("if *,* then c4"), MAMBO, mambo, (0,))


def test_a_turn_of_mamba_has_as_many_steps_as_its_pieces_can_make() -> None:
    game = MambaGame()
    begun = game.begin({}, 2)
    with pytest.raises(BranchImpossible):
        check(read_branches("if *,* then pass"), game, begun, (1,))  # no piece can lay another yet
    check(read_branches("else pass (if *,*,*,*,* then pass)"), game, begun, (1,))
    isolated = game.read_input(game.read_input(begun, "move f3-f5").position, "move d9-c8").position
    check(read_branches("if *,* then pass"), game, isolated, (1,))


def test_stars_alone_fit_any_turn_behind_a_position_that_is_not_known() -> None:
    plan = "if c4,* then g2,h7 (if *,* then a1,f4); if * / * / c4,k5 then d8,r10; else g2,h7 (if *,* then a1,f4)"
    check(read_branches(plan), SUPERBO, after("b3"), (0,))


def test_what_is_behind_an_unknown_position_is_checked_when_it_is_known() -> None:
    base = after("b3")
    played = SUPERBO.read_input(base, "c4,k5")
    plan = read_branches("else g2,h7 (if d8,r10 then a1,f4; if z9,z1 then a1,f4; else a1,f4)")
    found = reply_to(plan, SUPERBO, base, [played.steps], played.position)
    assert found is not None
    assert one_line(found.branches) == "if d8,r10 then a1,f4; else a1,f4"
    assert one_line(found.lost) == "if z9,z1 then a1,f4"


def test_branches_are_added_in_front_of_else_and_take_the_place_of_their_like() -> None:
    plan = read_branches("if a1 then b2 (if c3 then d4); else e5")
    assert one_line(with_added(plan, read_branches("if F6 then g7"))) == (
        "if a1 then b2 (if c3 then d4); if F6 then g7; else e5"
    )
    assert one_line(with_added(plan, read_branches("if A1 then b2 (if x1 then y1)"))) == (
        "if A1 then b2 (if c3 then d4; if x1 then y1); else e5"
    )
    assert one_line(with_added(plan, read_branches("if a1 then z9"))) == "if a1 then z9; else e5"
    starred = read_branches("if a1,* then b2; else e5")
    assert one_line(with_added(starred, read_branches("if a1,c3 then d4; if b1,* then f6"))) == (
        "if a1,c3 then d4; if a1,* then b2; if b1,* then f6; else e5"
    )
    starred = read_branches("if a1,* then b2")
    assert one_line(with_added(starred, read_branches("else z9"))) == "if a1,* then b2; else z9"
    assert one_line(with_added(plan, read_branches("else z9"))) == "if a1 then b2 (if c3 then d4); else z9"


def test_a_comma_too_many_is_no_part_of_a_condition() -> None:
    check(read_branches("if C4,*, then G2,H7"), SUPERBO, after("B3"), {0})
