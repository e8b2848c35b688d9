"""Mails about tournaments: tables with halves, pools and withdrawals."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from pbem import folder
from pbem.bootstrap import find_games
from pbem.domain.clocks import ClockRules
from pbem.domain.mails import Notice
from pbem.domain.tournaments import Bye, Kind, Meeting, Tournament, TournamentState
from pbem.ids import BoardNumber, PlayerId, TournamentId
from pbem.wording.layout import WIDTH
from pbem.wording.templates import Wording
from tests.storage.stock import player

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
GAMES = find_games()
WORDING = Wording(folder("templates"), {"server_address": "pbem@localhost"}, GAMES)
ANN, BOB, CAT = (PlayerId(number) for number in (1, 2, 3))


def tournament(kind: Kind, *userids: str) -> Tournament:
    made = Tournament(TournamentId(1), "spring", "superbo", kind, ANN, NOW)
    for number, userid in enumerate(userids, start=1):
        made = made.joined(PlayerId(number), userid, NOW)
    return made.started()


def facts(about: Tournament, meetings: list[Meeting], reader: int = 1) -> dict[str, Any]:
    return {
        "tournament": about,
        "game": GAMES[about.game],
        "creator": "ann",
        "clock": ClockRules(),
        "reader": player(reader, "ann"),
        "names": {each.player: each.userid for each in about.entries},
        "pools": [{"letter": pool, "rows": about.table(pool, meetings)} for pool in about.pools],
        "meetings": [each for each in meetings if each.round == about.round],
        "is_played": True,
    }


def said(name: str, told: dict[str, Any]) -> str:
    return WORDING.render(Notice(name, "ann@example.org", told)).body


def test_halves_and_quarters_stand_in_their_columns() -> None:
    about = replace(tournament(Kind.SWISS, "ann", "bob", "Catherine_the_Great"), round=1, state=TournamentState.OVER)
    about = replace(about.withdrawn(CAT, NOW), byes=(Bye(1, CAT),))
    meetings = [Meeting(BoardNumber(101), 1, "A1", (ANN, BOB), (1, 1))]
    lines = said("tournament", facts(about, meetings)).split("Standings\n\n")[1].split("\n\n")[0].split("\n")
    assert lines == [
        "     Player               Points  Buchholz  Direct  Berger",
        "  1  ann                       ½         ½       ½       ¼",
        "  1  bob                       ½         ½       ½       ¼",
        "  -  Catherine_the_Great       1         0       0       0 (left)",
    ]


def test_each_pool_has_its_table_and_its_winner() -> None:
    about = replace(
        tournament(Kind.ROUND_ROBIN, *(f"player{number}" for number in range(1, 10))), state=TournamentState.OVER
    )
    text = said("tournament_over", facts(about, [Meeting(BoardNumber(101), 1, "B1", (BOB, CAT), (2, 0))]))
    assert "\nPool A\n" in text
    assert "\nPool B\n" in text
    assert "have won pool A together with" in text
    assert "player2 has won pool B." in text


@pytest.mark.parametrize(
    ("bye", "sentence"),
    [
        (Bye(1, ANN), "You have a bye: no opponent is left for you in this round. It is worth a point."),
        (Bye(1, ANN, is_point=False), "You have no board in this round, since you cannot play at present."),
    ],
)
def test_who_has_no_board_is_told_why(bye: Bye, sentence: str) -> None:
    about = replace(tournament(Kind.SWISS, "ann", "bob", "cat"), round=1, byes=(bye,))
    meetings = [Meeting(BoardNumber(101), 1, "A1", (BOB, CAT))]
    assert sentence in " ".join(said("tournament_round", facts(about, meetings)).split())


def test_what_was_played_is_told_with_its_result() -> None:
    about = replace(tournament(Kind.SWISS, "ann", "bob", "cat"), round=1)
    drawn = Meeting(BoardNumber(101), 1, "A1", (ANN, BOB), (1, 1))
    assert "A1  Board 101  ann - bob: a draw" in said("tournament", facts(about, [drawn]))
    assert "ann - bob: won by bob" in said("tournament", facts(about, [replace(drawn, halves=(0, 2))]))


def test_the_longest_names_stay_within_a_mail() -> None:
    about = replace(tournament(Kind.SWISS, "a" * 32, "b" * 32), round=1, state=TournamentState.OVER).withdrawn(BOB, NOW)
    text = said("tournament_over", facts(about, [Meeting(BoardNumber(10101), 1, "A1", (ANN, BOB), (1, 1))]))
    assert max(map(len, text.split("\n"))) <= WIDTH


@pytest.mark.parametrize("name", ["tournament_joined", "tournament_round", "tournament_created", "tournament"])
@pytest.mark.parametrize("state", [TournamentState.OPEN, TournamentState.RUNNING])
def test_a_command_with_the_longest_name_stays_on_its_line(name: str, state: TournamentState) -> None:
    about = replace(tournament(Kind.SWISS, "a" * 32, "b" * 32), name="n" * 32, round=1, state=state)
    text = said(name, facts(about, [Meeting(BoardNumber(10101), 1, "A1", (ANN, BOB))]))
    assert max(map(len, text.split("\n"))) <= WIDTH
    assert re.search(f"superbo tournament [a-z]+ {'n' * 32}(\n|$)", text) or "help tournament" in text
