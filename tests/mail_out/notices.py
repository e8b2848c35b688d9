"""Notices to make mails of, and the parts that make them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

from pbem.domain.boards import Board, SeatHolder
from pbem.domain.mails import BoardThread, Notice
from pbem.domain.players import Address, Player
from pbem.domain.replies import BoardReply, Signer
from pbem.ids import BoardNumber, PlayerId
from pbem.mail_out.headers import Headers
from pbem.mail_out.message import Composer
from pbem.wording.templates import Wording

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
ALICE = Player(
    PlayerId(1),
    "alice",
    (Address("alice@example.org", NOW), Address("new@example.org"), Address("alice@example.net", NOW)),
    NOW,
)
BOARD = Board(BoardNumber(101), "superbo", {}, 1, 0, (SeatHolder(PlayerId(1), "alice"),) * 2, NOW)
BOARD_REPLY = BoardReply(PlayerId(1), BoardNumber(101), 2, date(2026, 7, 30))
SIGNER = Signer(["a key of sixteen letters"])
HEADERS = Headers("pbem@localhost", SIGNER)


def board_notice(event: int = 2, *, opens: bool = False, answers: bool = False) -> Notice:
    """A notice about board 101, for its player."""
    facts = {"board": BOARD, "subject": "superbo Board 101 alice", "body": "It is alice's turn."}
    return Notice(
        "said", ALICE, facts, BoardThread("superbo", BoardNumber(101), event, opens), BOARD_REPLY, answers=answers
    )


def plain_notice(body: str = "Hello.", subject: str = "Hi", to: Player | str = "bob@example.org") -> Notice:
    """A notice about nothing, with these words."""
    return Notice("said", to, {"subject": subject, "body": body}, answers=True)


def composer(folder: Path) -> Composer:
    """A composer with one template, which says its facts as they are."""
    (folder / "mail").mkdir(exist_ok=True)
    (folder / "mail" / "said.txt").write_text("Subject: {{ subject }}\n{{ body }}\n")
    return Composer(Wording(folder, {}), HEADERS)
