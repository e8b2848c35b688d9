"""Games of two players by letters on a stepped server, for the mails that they lead to."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import select

from pbem.ids import BoardNumber
from pbem.storage.engine import reading
from pbem.storage.models import BoardRow
from pbem.usecases.context import Context
from pbem.wording.boards import example_turn
from tests.support.stepped_server import SteppedServer


def hand_over(stepped: SteppedServer) -> int:
    """Have the relay take all mails that wait; return how many did."""
    outbox, handed_over = stepped.server.outbox, 0
    while due := outbox.lease(datetime.now(UTC), 100):
        outbox.sent(due, datetime.now(UTC))
        handed_over += len(due)
    return handed_over


def begin(stepped: SteppedServer, game: str, preferences: str, one: str, other: str) -> int:
    """Sign two players up with the same preferences, and start a board between them; return its number."""
    for userid in (one, other):
        stepped.gets(f"signup {userid} secret", sender=f"{userid}@example.org")
        stepped.works()
        stepped.gets(f"set {userid} secret {preferences}", sender=f"{userid}@example.org")
        stepped.works()
    stepped.gets(f"{game} challenge {other}", sender=f"{one}@example.org")
    stepped.works()
    with reading(stepped.server.engine) as connection:
        return connection.scalars(select(BoardRow.number).order_by(BoardRow.number.desc())).first() or 0


def play(stepped: SteppedServer, board: int, turns: int) -> int:
    """Make turns, each by a letter, as the examples in mails have them; return how many there were."""
    for turn in range(turns):
        words = stepped.server.executor.look(lambda context: _next_letter(context, board), datetime.now(UTC))
        if words is None:
            return turn
        stepped.gets(words[1], sender=words[0])
        stepped.works()
    return turns


def _next_letter(context: Context, number: int) -> tuple[str, str] | None:
    """The sender and subject of the next letter; None if the board is over."""
    board = context.uow.boards.find(BoardNumber(number))
    assert board is not None
    course = context.course(board)
    if course.to_act is None:
        return None
    userid, game = board.seats[course.to_act].userid, context.games[board.game]
    move = f"{board.game} move {number} {userid} secret {example_turn(course.position, game)}"
    return f"{userid}@example.org", move
