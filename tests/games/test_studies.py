"""Studies by the rules alone: how they are read, played, put together and written down."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.bootstrap import find_games
from pbem.domain.records import studied_game
from pbem.errors import PlayerError
from pbem.games.game import Game
from pbem.games.hextile.superbo import SUPERBO
from pbem.games.studies import (
    LONGEST_COMMENT,
    MOST_NESTED,
    Annotation,
    BadStudy,
    NoMoveToStudy,
    RecordedStudy,
    Remarked,
    StudiedGame,
    StudyTooLarge,
    StudyUnreadable,
    VariationStopped,
    annotated,
    count,
    from_json,
    read_recorded,
    read_study,
    recorded,
    to_json,
    typed,
)
from tests.support.studied import game_at_random, line_at_random

GAMES = find_games()
OF_SO_MANY = [(game, players) for game in GAMES.values() for players in game.players]


def played(*turns: str) -> StudiedGame:
    """A game of Superbo that somebody has resigned."""
    position = SUPERBO.begin({}, 2)
    before, records = [position], []
    for turn in turns:
        made = SUPERBO.read_input(position, turn)
        records.append(SUPERBO.input_record(position, made.steps))
        position = made.position
        before.append(position)
    return StudiedGame(SUPERBO, before, records)


FOUR = played("b3", "c4,k5", "g2,h7", "d8,r10")


def study(text: str, known: tuple[Annotation, ...] = (), studied: StudiedGame = FOUR) -> tuple[Annotation, ...]:
    return annotated(known, read_study(text, studied.game), studied)


def test_comments_and_nested_variations_are_read_and_written_as_they_are_typed() -> None:
    text = (
        "#0 {A game that I should have won.}\n"
        "#2 {natural}\n"
        "#2 d1,c2 {forced} (e2,a1) / c4,k5 (g2,h7 {why not?} / a1,f4)\n"
        "#5 e2,aa1"
    )
    with pytest.raises(VariationStopped) as stopped:
        study("#2 d1,c2 / zz9")
    assert (stopped.value.moveno, stopped.value.said) == (2, "zz9")
    found = read_study(text, SUPERBO)
    assert [each.moveno for each in found] == [0, 2, 2, 5]
    line = found[2].lines[0]
    assert [(each.turn, each.comment, len(each.instead)) for each in line] == [
        ("d1,c2", "forced", 1),
        ("c4,k5", "", 1),
    ]
    assert [(each.turn, each.comment) for each in line[1].instead[0]] == [("g2,h7", "why not?"), ("a1,f4", "")]


def test_comments_on_the_same_move_become_one_and_replace_a_known_one() -> None:
    known = study("#1 {old}\n#2 e4,m8 {old} / k2,q5\n#4 {kept}")
    added = "#1 {one}\n#1 {two}\n#1 {one}\n#2 e4,m8 {a}\n#2 e4,m8 {b} / k2,q5"
    assert typed(study(added, known)) == "#1 {one two}\n#2 E4,M8 {a b} / K2,Q5\n#4 {kept}"
    with pytest.raises(StudyTooLarge):
        study(f"#1 {{{'x' * LONGEST_COMMENT}}}\n#1 {{y}}")


@pytest.mark.parametrize(("game", "players"), OF_SO_MANY, ids=lambda each: getattr(each, "name", str(each)))
def test_what_is_typed_in_any_game_comes_back_from_text_and_from_a_record(game: Game[Any, Any], players: int) -> None:
    for seed in range(4):
        lot = random.Random(seed)
        told = game_at_random(game, players, 8, lot)
        studied = studied_game(told, game)
        lines = ["#0 {the whole game}"]
        for moveno in range(1, len(studied.before) + 1):
            lines += [f"#{moveno} {line_at_random(game, studied.before[moveno - 1], lot)}" for _ in range(2)]
        text = "\n".join(lines)
        made = study(text, studied=studied)
        assert count(made) > len(studied.before)
        assert study(typed(made), studied=studied) == made
        assert annotated((), from_json(to_json(made)), studied, in_records=True) == made
        assert study(text, made, studied) == made, "the same again adds nothing"
        for annotation in made:
            for line in annotation.lines:
                assert line[0].record != (studied.moves[annotation.moveno - 1 : annotation.moveno] or [None])[0]


def test_what_the_game_itself_goes_on_with_belongs_to_its_later_moves() -> None:
    made = study("#1 b3 {yes} / c4,k5 (e4,m8 {or this}) / e10,v4 / r10,ac4")
    assert [(each.moveno, each.comment) for each in made] == [(1, "yes"), (2, ""), (3, "")]
    assert [each.text for each in made[1].lines[0]] == ["E4,M8"]
    assert [each.number for each in made[2].lines[0]] == [3, 4]


def test_a_variation_goes_along_with_another_as_far_as_it_can() -> None:
    made = study("#3 m6,u6 / e2,aa9 {old}")
    made = study("#3 m6,u6 {first} / e2,aa9 {new}\n#3 m6,u6 / a2,aa9\n#3 m6,u6 / e2,aa9 (e2,aa9)", made)
    assert typed(made) == "#3 M6,U6 {first} / E2,AA9 {new} (A2,AA9)"


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("hello there", "hello", "#"),
        ("# 12a c4", "#", "#"),
        ("#2", "", "move"),
        ("#2 / c4,k5", "c4,k5", None),
        ("#2 c4,k5 / / g2", "/", "move"),
        ("#2 c4,k5 /", "", "move"),
        ("#2 c4,k5 (g2,h7", "", ")"),
        ("#2 c4,k5 ()", ")", "move"),
        ("#2 c4,k5 )", ")", "move"),
        ("#2 c4,k5 {no end", "{", "}"),
        ("#2 c4,k5 no beginning}", "}", "{"),
        ("#2 {a {b} c}", "{", "words"),
        ("#2 c4,k5 {a {b} c} / g2,h7", "{", "words"),
        ("#2 {a {b} c", "{", "}"),
    ],
)
def test_what_is_no_study_is_refused_at_the_word_where_it_shows(text: str, word: str, expected: str | None) -> None:
    if expected is None:
        assert read_study(text, SUPERBO)[0].lines[0][0].turn == word
        return
    with pytest.raises(StudyUnreadable) as wrong:
        read_study(text, SUPERBO)
    assert (wrong.value.word, wrong.value.expected) == (word, expected)


def test_a_comment_keeps_its_parentheses_and_a_word_beside_a_move_loses_them() -> None:
    (read,) = read_study("#2 {good move(s), f(x)} c4(k5) {really(!)}", SUPERBO)
    assert (read.comment, read.lines[0][0].turn, read.lines[0][0].comment) == (
        "good move(s), f(x)",
        "c4 k5",
        "really(!)",
    )


def test_the_sign_before_a_number_may_be_left_out_where_a_comment_follows() -> None:
    text = "2. {The losing move.}\n3 {Here it is too late.}\n#4 c4"
    assert [(each.moveno, each.comment) for each in read_study(text, SUPERBO)] == [
        (2, "The losing move."),
        (3, "Here it is too late."),
        (4, ""),
    ]
    with pytest.raises(StudyUnreadable):
        read_study("2. c4", SUPERBO)


def test_lines_that_a_mail_program_has_broken_are_put_together() -> None:
    text = "#2 d1,c2 {a long\n#7 remark\nin braces} /\n\nc4,k5\n(g2,h7)"
    (found,) = read_study(text, SUPERBO)
    assert [(each.turn, each.comment) for each in found.lines[0]] == [
        ("d1,c2", "a long #7 remark in braces"),
        ("c4,k5", ""),
    ]


@pytest.mark.parametrize(
    ("text", "is_comment"), [("#5 {no such move}", True), ("#6 c4,k5", False), ("#0 c4,k5", False), ("#7 {x}", False)]
)
def test_what_is_said_of_no_move_of_the_game_is_refused(text: str, is_comment: bool) -> None:
    with pytest.raises(NoMoveToStudy) as wrong:
        study(text)
    assert (wrong.value.last, wrong.value.is_comment) == (4, is_comment)


def test_a_study_has_its_limits() -> None:
    with pytest.raises(StudyTooLarge, match="comment"):
        study(f"#1 {{{'x' * (LONGEST_COMMENT + 1)}}}")
    with pytest.raises(StudyTooLarge, match="nested"):
        read_study(f"#1 {'b3 (' * MOST_NESTED} b3 {')' * MOST_NESTED}", SUPERBO)
    with pytest.raises(StudyTooLarge, match="text"):
        read_study("#1 b3\n" * 10_000, SUPERBO)
    lot = random.Random(7)
    lines = (line_at_random(SUPERBO, FOUR.before[4], lot, depth=2) for _ in range(150))
    with pytest.raises(StudyTooLarge, match="moves"):
        study("\n".join(f"#5 {each}" for each in lines))


@pytest.mark.parametrize(
    "change",
    [
        {"version": None},
        {"title": 7},
        {"author": None},
        {"moves": {}},
        {"moves": [7]},
        {"moves": [{"comment": "x"}]},
        {"moves": [{"move": 1, "comment": 7}]},
        {"moves": [{"move": 1, "lines": [[]]}]},
        {"moves": [{"move": 1, "lines": [[{"comment": "x"}]]}]},
    ],
    ids=str,
)
def test_a_study_in_a_record_that_is_not_well_formed_is_refused(change: dict[str, Any]) -> None:
    value = {"version": 1, "title": "A study", "author": "alice", "moves": []}
    assert read_recorded(value) == RecordedStudy("A study", "alice", ())
    with pytest.raises(BadStudy):
        read_recorded({**value, **change})


def test_a_study_of_a_later_version_is_left_out() -> None:
    assert read_recorded({"version": 2, "anything": "else"}) is None


def test_a_study_in_a_record_says_all_that_it_is() -> None:
    made = study("#2 {hm}\n#2 e4,m8 {!}")
    value = recorded(made, "A study", "alice")
    assert value["moves"][0]["lines"][0][0]["comment"] == "!"
    found = read_recorded(value)
    assert found is not None
    assert found.moves == (Remarked(2, "hm", found.moves[0].lines),)
    with pytest.raises(PlayerError):
        annotated(
            (), from_json([{"move": 2, "lines": [[{"turn": [{"q": 9, "r": 9, "state": 1}]}]]}]), FOUR, in_records=True
        )
