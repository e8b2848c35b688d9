"""Players who are all at once in the middle of games of Superbo, to send a server the letters of."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from pbem.games.game import TurnRecord
from pbem.games.hextile.superbo import SUPERBO
from tests.bench.client import SESSIONS, Letter, letter, send
from tests.bench.processes import Processes

TEXT = "text"
HTML = "text+HTML"
PICTURE = "text+HTML+picture"
PREFERENCES = {TEXT: "mail=text", HTML: "mail=both board=ascii", PICTURE: "mail=both board=both"}
"""The preferences of players for mails with these parts."""
_BOARDS = "SELECT number FROM boards ORDER BY number DESC LIMIT :many"
_SEATED = (
    "SELECT s.seat, p.userid FROM seats s JOIN players p ON p.id = s.player_id WHERE s.board_number = :board"
    " ORDER BY s.seat"
)
_RECORDS = Path(__file__).parents[1] / "games/hextile/playthroughs/superbo.jsonl"
_MADE = "SELECT coalesce(sum(event_number), 0) FROM boards WHERE number IN (SELECT number FROM ({of}) AS newest)"


def recorded_turns(game: int = 0) -> list[TurnRecord]:
    """The turns of a recorded game of Superbo."""
    turns: list[TurnRecord] = json.loads(_RECORDS.read_text().splitlines()[game])["record"]["turns"]
    return turns


def moves(game: int = 0) -> list[str]:
    """A recorded game in the words of the notation."""
    position, words = SUPERBO.begin({}, 2), []
    for turn in recorded_turns(game):
        position = SUPERBO.play_input(position, SUPERBO.input_steps(position, turn))
        words.append(SUPERBO.input_text(position, ()).move)
    return words


class BenchBoard(Protocol):
    """A server to play at."""

    @property
    def port(self) -> int:
        """The port for letters."""

    @property
    def processes(self) -> Processes:
        """Its processes."""

    def rows(self, sql: str, **values: Any) -> list[Any]:
        """The rows that a query finds in its database."""

    def wait(self) -> None:
        """Wait until every letter is answered."""


class Play:
    """Pairs of players, each with a board of its own; every game is the same recorded one."""

    def __init__(self, bench: BenchBoard, boards: int) -> None:
        self._house = bench
        self._boards = boards
        self._moves = moves()
        self.users = [f"p{pair}{side}" for pair in range(boards) for side in "ab"]
        self._say([letter(user, f"signup {user} secret") for user in self.users])

    def _say(self, letters: Sequence[Letter]) -> None:
        send(self._house.port, dealt(letters))
        self._house.wait()

    def choose(self, mails: str) -> None:
        """Have everybody choose what mails consist of."""
        self._say([letter(user, f"set {user} secret {PREFERENCES[mails]}") for user in self.users])

    def begin(self, plies: int) -> list[list[Letter]]:
        """Begin new boards; return for each the letters of the first turns, which the players send in this order."""
        self._say([letter(user, f"superbo challenge {user[:-1]}b") for user in self.users if user.endswith("a")])
        numbers = [row[0] for row in self._house.rows(_BOARDS, many=self._boards)]
        return [self._game(number, plies) for number in numbers]

    def _game(self, number: int, plies: int) -> list[Letter]:
        seated = [row[1] for row in self._house.rows(_SEATED, board=number)]
        turns = [(seated[ply % 2], words) for ply, words in enumerate(self._moves[:plies])]
        return [letter(user, f"superbo move {number} {user} secret {words}") for user, words in turns]

    def made_of(self, letters: int) -> int:
        """The number of turns made on the newest boards, by so many letters; asserts that none was in vain."""
        made = int(self._house.rows(_MADE.format(of=_BOARDS), many=self._boards)[0][0])
        assert made == letters, f"{made} of {letters} moves were made"
        return made


def dealt(letters: Sequence[Letter]) -> list[list[Letter]]:
    """Letters that may come in any order, dealt to the sessions."""
    return [list(letters[number::SESSIONS]) for number in range(SESSIONS)]


def mixed(games: Sequence[Sequence[Letter]]) -> list[list[Letter]]:
    """Games dealt to the sessions: a session sends the first turns of all its boards, then the second ones."""
    hands = [games[number::SESSIONS] for number in range(SESSIONS)]
    return [[each for turns in zip(*hand, strict=True) for each in turns] for hand in hands if hand]
