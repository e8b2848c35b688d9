"""The answers to programs, as JSON Schema (draft 2020-12); each answer has exactly the members listed here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.domain.watches import MOST_COUNTED
from pbem.web.api.answers import Schema, by_name, many, maybe, obj, ref, text, whole

MOMENT = text("A moment, with its offset from UTC.", format="date-time")
DAY = text("A day.", format="date")
FLAG: Schema = {"type": "boolean"}
SEAT = whole("A seat, from 0.")
WORDS = many(text())
USERID = text("What a player is called here.")
ROBOT: Schema = {"type": "boolean", "description": "Whether it is a computer opponent."}
NUMBER = whole("The number of a board.", 1)
NEXT = maybe(
    text(
        "The address of the next part of the list; null: this is the last one, or, in a list that is not of boards, "
        f"the {MOST_COUNTED}th, behind which nothing is shown.",
        format="uri",
    )
)
_CHANGE = obj(userid=USERID, before={"type": "integer"}, after={"type": "integer"})

_PLAYER_AT_BOARD = obj(seat=SEAT, userid=USERID, robot=ROBOT, side=text("The name of their side in this game."))
_OUTCOME = obj(
    ending=text("Why it is over; ``rules``: by those of the game."),
    reason=maybe(text("What ended it by the rules.")),
    winners=many(SEAT, "Nobody: a draw, or nothing to win."),
    by=maybe(SEAT),
)
_AXIS: Schema = {"type": "integer"}
_AT: Mapping[str, Schema] = {"label": text("As moves name it."), "q": _AXIS, "r": _AXIS}
_HEXTILE = obj(
    "What the hexagonal tile games have beside; ``q`` and ``r`` as in records: the tile or space of the start is 0, 0.",
    spaces=many(
        obj("", **_AT, states=many(whole(least=1))), "With the states that fit, if the turn allows them or not."
    ),
    null_points=many(obj("", **_AT), "Spaces where nothing will ever fit."),
    filled=many(obj("", **_AT), "The spaces of old where tiles lie, as moves have named them."),
    supply=by_name(whole(), "How many tiles are left, by kind."),
    last_turn=many(
        obj("", **_AT, state=whole(least=1), automatic={"type": "boolean", "description": "Laid by the game itself."}),
        "The tiles of the turn under way or else of the last one, in the order in which they were laid.",
    ),
)
_TURN = obj(
    "A turn, a part of one, or the answer to a decision, as the list of moves has it.",
    move=whole("Its number.", 1),
    seat=SEAT,
    text=text("As it is typed: `A1,J12`."),
    automatic=many(text(), "What came of it by itself: `M4`."),
)
_STATE = obj(
    "A position; with ``turn``, that after the steps of a turn that nobody has sent.",
    to_act=maybe(SEAT),
    moves=whole("Turns played to their end."),
    turn=text("The steps that were asked for, as they are typed."),
    mid_turn=FLAG,
    decision=maybe(obj("What has to be decided first.", kind=text(), seat=SEAT, options=WORDS)),
    legal=many(text(), "Every step that can be played next, as it is typed; a turn may take several."),
    position={"type": "object", "description": "What lies on the board, as `pbem replay` tells it of this game."},
    hextile=maybe(_HEXTILE),
)
_CLOCK = obj(
    nag_seconds=whole(),
    forfeit_seconds=whole(),
    total_seconds=maybe(whole()),
    since=maybe(MOMENT),
    ends_at=maybe(MOMENT),
    stands={"type": "boolean", "description": "Whether the clocks of turns stand."},
    used_seconds=many(whole(), "By seat, up to the last event."),
)
_RANKS = obj(rows=many(ref("Ranked")), more=FLAG)

SCHEMAS: Mapping[str, Schema] = {
    "Problem": {
        "type": "object",
        "description": "What stands in the way, in the form of RFC 9457.",
        "properties": {
            "title": text("What the status says."),
            "status": whole(least=400),
            "detail": text("What stands in the way, in a sentence or two."),
            "code": text("The same as one word, which does not change: `no_such_board`."),
            "facts": {"type": "object", "description": 'What it is about: `{"board": 999}`.'},
            "answers": many(ref("Told")),
        },
        "required": ["title", "status", "detail", "code"],
        "additionalProperties": False,
    },
    "Told": obj("What a mail would say.", name=text("What kind of answer it is."), subject=text(), text=text()),
    "Record": {"type": "object", "description": "A game in the format pbem-game/1, as `export` mails it."},
    "BoardInList": obj(
        board=NUMBER,
        url=text("The page of the board.", format="uri"),
        game=text(),
        options=WORDS,
        players=many(_PLAYER_AT_BOARD),
        moves=whole(),
        to_act=maybe(SEAT),
        event=whole("The number of the last event; it grows with everything that happens."),
        since=MOMENT,
        result=maybe(_OUTCOME),
    ),
    "Board": obj(
        board=NUMBER,
        url=text("The page of the board.", format="uri"),
        game=text(),
        options=WORDS,
        players=many(_PLAYER_AT_BOARD),
        rated={"type": "boolean", "description": "Whether the result may count."},
        pair=maybe(NUMBER),
        tournament=maybe(obj(name=text(), round=whole(), label=text())),
        begun_at=MOMENT,
        last_at=MOMENT,
        event=whole("The number of the last event; it grows with everything that happens."),
        moves=whole("Turns played to their end, however far back ``state`` is."),
        shown=whole("The move after which ``state`` and ``record`` are."),
        record=maybe(ref("Record")),
        turns=many(_TURN),
        state=_STATE,
        offer=maybe(
            obj(kind=text(enum=["draw", "undo"]), seat=SEAT, at=MOMENT, agreed=many(SEAT), waits_for=many(SEAT))
        ),
        clock=_CLOCK,
        result=maybe(_OUTCOME),
        ratings=maybe(obj(changes=many(_CHANGE), waits=FLAG, pair=maybe(NUMBER))),
        subscribers=many(USERID),
    ),
    "Boards": obj(boards=many(ref("BoardInList")), more=FLAG, next=NEXT),
    "Games": obj(
        games=many(
            obj(
                game=text(),
                title=text(),
                rules=whole(least=1),
                players=many(whole(least=1), "For how many it is."),
                options=many(
                    obj(option=text("As a challenge has it."), meaning=text()), "What a challenge may say of the rules."
                ),
                active=whole(),
                finished=whole(),
                active_players=whole(),
                seeks=whole(),
            )
        )
    ),
    "Ranked": obj(
        userid=USERID,
        robot=ROBOT,
        game=text(),
        variant=maybe(text("The named variant that the rating is for; null: the game as it is usually played.")),
        rating=maybe({"type": "integer"}),
        established=FLAG,
        won=whole(),
        lost=whole(),
        tied=whole(),
        boards=whole("Active ones."),
        limit=maybe(whole("The most of them that they want.")),
        seeking=whole("How many challenges they look for."),
    ),
    "Player": obj(
        userid=USERID,
        robot=ROBOT,
        standing=text(enum=["active", "frozen", "banned", "gone"]),
        here_since=maybe(DAY),
        seen_on=maybe(DAY),
        vacation_until=maybe(MOMENT),
        pace_seconds=maybe(whole("The median time for a move.")),
        finished=whole(),
        forfeits=whole(),
        games=many(ref("Ranked")),
    ),
    "Standings": obj(
        established_from=whole("Rated games after which a rating is established."),
        active_days=whole("After so many days without a rated game a player is inactive."),
        games=by_name(
            obj(established=_RANKS, provisional=_RANKS, inactive=_RANKS), "The standings, by game, or ``game variant``."
        ),
        next=NEXT,
    ),
    "Tally": obj(
        games=whole(),
        won=whole("By the player of the turn."),
        tied=whole(),
        rating=maybe(whole("The average of those who played it, after their rated games.")),
    ),
    "Explored": obj(
        game=text(),
        turns=many(text(), "From the beginning, as they are listed."),
        people=ref("Tally"),
        robots=ref("Tally"),
        played=many(
            obj(
                inputs=many(text(), "Of the turn, in the names of the position."),
                people=ref("Tally"),
                robots=ref("Tally"),
            ),
            "The usual turns first.",
        ),
    ),
    "History": obj(
        boards=many(
            obj(
                board=NUMBER,
                url=text(format="uri"),
                game=text(),
                finished_at=MOMENT,
                players=many(USERID, "By seat."),
                winners=many(SEAT),
                ending=text(),
                ratings=many(_CHANGE),
            )
        ),
        more=FLAG,
        next=NEXT,
    ),
    "TournamentInList": obj(
        name=text(),
        url=text(format="uri"),
        game=text(),
        kind=text(enum=["swiss", "roundrobin"]),
        state=text(enum=["open", "running", "over"]),
        creator=USERID,
        created_at=MOMENT,
        finished_at=maybe(MOMENT),
        options=WORDS,
        round=whole(),
        rounds=whole("How many there are, or would be if it began now."),
        entrants=many(USERID),
        withdrawn=many(USERID),
    ),
    "Tournaments": obj(tournaments=many(ref("TournamentInList")), next=NEXT),
    "Tournament": obj(
        tournament=ref("TournamentInList"),
        pools=many(
            obj(
                pool=text(),
                rows=many(
                    obj(
                        place=whole(least=1),
                        userid=USERID,
                        points={"type": "number"},
                        played=whole(),
                        byes=whole(),
                        buchholz={"type": "number"},
                        direct={"type": "number"},
                        berger={"type": "number"},
                        withdrawn=FLAG,
                    )
                ),
            )
        ),
        meetings=many(
            obj(
                board=NUMBER,
                round=whole(least=1),
                label=text(),
                players=many(USERID),
                points=maybe(many({"type": "number"})),
            )
        ),
    ),
    "PuzzleInList": obj(
        number=whole("It never means another puzzle.", 1),
        url=text("The page of the puzzle.", format="uri"),
        game=text(),
        options=WORDS,
        goal=text(
            "`survive`: to find a turn after which the opponent cannot win with the next.", enum=["win", "survive"]
        ),
        wins_in=maybe(
            whole("How many turns of their own the player to act needs, whatever the opponent plays; only to win.", 1)
        ),
    ),
    "Puzzles": obj(puzzles=many(ref("PuzzleInList"))),
    "Puzzle": obj(
        puzzle=ref("PuzzleInList"),
        record=ref("Record"),
        turns=many(_TURN, "What was played before."),
        state=_STATE,
    ),
    "Answers": obj(
        answers=many(ref("Told"), "What the command is answered, as its mails would say it."),
        mailed=whole("How many mails go out because of it, questions to you among them."),
    ),
}


def components() -> dict[str, Any]:
    """The schemas by name, as the OpenAPI description needs them."""
    return {name: dict(schema) for name, schema in SCHEMAS.items()}
