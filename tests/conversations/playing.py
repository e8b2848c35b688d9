"""The beginning of many conversations: two players at a board, and a look into the server's tables."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Template

from pbem.games.hextile.position import Position
from tests.cli.running import pbem
from tests.support.mail import Mail, Person
from tests.support.server import GameServer

HELP = Path(__file__).parents[2] / "templates" / "en" / "help"
_PLAYED = ("players", "addresses", "boards", "seats", "events", "confirmations")
_BUT_COUNTED = {"players": "id, userid, password_hash, created_at, preferences, standing, mail_stopped"}
"""All columns but the count of writes, which a question raises that changes nothing."""


def userid(person: Person) -> str:
    """The userid of somebody who was signed up by `GameServer.player`."""
    return person.address.partition("@")[0]


def ask(person: Person, line: str, body: str = "") -> Mail:
    """Write a letter, and return the next mail that its writer gets."""
    person.says(line, body)
    return person.hears()


@dataclass
class MailBoard:
    """Two players, their board, and the newest mail that each has of it."""

    number: str
    one: Person
    other: Person
    one_mail: Mail
    other_mail: Mail

    def hear(self) -> None:
        """Let both read their next mail of the board."""
        self.one_mail, self.other_mail = self.one.hears(), self.other.hears()

    def play(self, *turns: str) -> None:
        """Make turns by replies, ``one`` first."""
        for turn in turns:
            mover, mail = (self.one, self.one_mail) if self._is_ones_turn() else (self.other, self.other_mail)
            mover.answers(mail, turn)
            self.hear()

    def _is_ones_turn(self) -> bool:
        return self.one_mail.subject.split()[-1] == userid(self.one)


def seat(server: GameServer, one: Person, other: Person) -> MailBoard:
    """Start a board between two players; the first one moves first."""
    one.says(f"superbo challenge {userid(one)} {userid(other)}")
    mails = one.hears(), other.hears()
    return MailBoard(mails[0].subject.split()[3], one, other, *mails)


def begin(server: GameServer, one: str, other: str) -> MailBoard:
    """Sign two players up and start a board between them."""
    return seat(server, server.player(one), server.player(other))


def played(server: GameServer) -> dict[str, list[tuple[object, ...]]]:
    """Everything that the server's database knows of players and boards."""
    queries = {table: f"SELECT {_BUT_COUNTED.get(table, '*')} FROM {table}" for table in _PLAYED}  # noqa: S608
    return {table: sorted(rows, key=repr) for table, rows in server.database.all_rows(queries).items()}


def form(name: str, game: str = "superbo") -> str:
    """The right form of a command, as refusals show it where no other game is meant."""
    written = re.split("{% (?:end)?block.*%}\n", (HELP / f"{name}.txt").read_text())[1]
    template: Template = Template(written, trim_blocks=True)
    return template.render(error=True, game_name=game, help={"subjects": ["superbo options"]}).strip()


def imported(server: GameServer, record: dict[str, Any], **settings: str) -> str:
    """Take a record in beside the running server; return what that printed."""
    (server.folder / "game.jsonl").write_text(json.dumps(record))
    done = pbem(server.folder, "import", "game.jsonl", **settings)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def random_turn(position: Position, chance: random.Random) -> Position:
    after = position.play(chance.choice(position.legal()))
    while after.ply == position.ply:
        after = after.play(chance.choice(after.legal()))
    return after
