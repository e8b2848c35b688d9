"""Functions and filters for every template."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from pbem.commands.verbs import closest
from pbem.domain.administration import obstacle
from pbem.domain.boards import Board
from pbem.domain.game_state import GameState
from pbem.domain.mails import PictureSource
from pbem.domain.players import is_guest, is_robot
from pbem.domain.preferences import ENGLISH, Preferences
from pbem.domain.waits import silence_ends_at, waited_for
from pbem.games.game import Seat
from pbem.games.options import in_words
from pbem.wording.boards import first_untold, played_lately, side_if_several, viewer
from pbem.wording.layout import ago, columns, duration, entry, fill, halves, listed, pace, quarters, wrap
from pbem.wording.mails import MailRenderer, blocks_of, mailto, part_text


@pass_context
def _part(context: Context, name: str, **facts: object) -> str:
    """A part of a mail that is written otherwise in HTML than in text."""
    script: MailRenderer = context["script"]
    return script.part(name, {**context.get_all(), **facts})


@pass_context
def _source_of(context: Context, board: Board, course: GameState, seat: Seat | None) -> PictureSource | None:
    """The source of a picture of a board; None if its position is not stored but, for example, tried out."""
    return PictureSource(board.number, course.events, seat) if context.get("stored") is board else None


@pass_context
def _local(context: Context, moment: datetime) -> datetime:
    """A time in the timezone of the reader, or in UTC if none is known."""
    preferences: Preferences = context.get("preferences", Preferences())
    return moment.astimezone(preferences.zone)


_PATTERNS = {
    ENGLISH: "EEE d MMM yyyy, HH:mm",
    "de": "EEE, d. MMM yyyy, HH:mm",
    "fr": "EEEE d MMM yyyy, HH:mm",  # the short form of jeudi is the word for a game
}
_MOMENTS = 256
"""Times that are kept in words: both players are told the same ones."""
_DAYS = {ENGLISH: "d MMM", "de": "d. MMM"}


@pass_context
def _moment(context: Context, moment: datetime) -> str:
    """A time in words, as the reader's clock shows it: ``Tue 24 Nov 2026, 17:30 UTC``."""
    at = _local(context, moment)
    zone = at.tzname() or ""
    language = context["language"]
    said = _as_written(at, _PATTERNS.get(language, _PATTERNS[ENGLISH]), language)
    return f"{said} {'UTC' if zone[:1] in ('+', '-') else ''}{zone}"


@pass_context
def _short_moment(context: Context, moment: datetime, is_long_ago: bool) -> str:
    """A time as tables have it, without its zone: ``24 Nov, 17:30``, or ``24 Nov 2025`` if that is long ago."""
    language = context["language"]
    pattern = _DAYS.get(language, _DAYS[ENGLISH]) + (" yyyy" if is_long_ago else ", HH:mm")
    return _as_written(_local(context, moment), pattern, language)


@pass_context
def _day(context: Context, at: date) -> str:
    """A day, or the reader's day of a moment: ``24 Nov 2025``."""
    language = context["language"]
    day = _local(context, at) if isinstance(at, datetime) else datetime.combine(at, datetime.min.time())
    return _as_written(day, _DAYS.get(language, _DAYS[ENGLISH]) + " yyyy", language)


def _as_written(at: datetime, pattern: str, language: str) -> str:
    return _written(at.replace(second=0, microsecond=0, tzinfo=None), pattern, language)


@lru_cache(maxsize=_MOMENTS)
def _written(at: datetime, pattern: str, language: str) -> str:
    """A minute without its zone, which no pattern shows: the same moment is written otherwise elsewhere."""
    from babel.dates import format_datetime  # 1 MB that a server at rest does not need

    return str(format_datetime(at, pattern, locale=language))


@pass_context
def _duration(context: Context, time: timedelta) -> str:
    """A stretch of time in words: the two largest units that it has."""
    return duration(time, context["language"])


@pass_context
def _ago(context: Context, time: timedelta) -> str:
    """The time since something, in one unit; empty below a minute."""
    return ago(time, context["language"])


@pass_context
def _pace(context: Context, time: timedelta) -> str:
    """The time for a move, in weeks if it can be."""
    return pace(time, context["language"])


@pass_context
def _decimal(context: Context, number: float, digits: int = 0) -> str:
    """A number as the language writes it, with so many digits behind the point: ``1,234.5``, in German ``1.234,5``."""
    from babel.numbers import format_decimal  # loaded when the first number is written

    return str(format_decimal(number, "#,##0." + "0" * digits, locale=context["language"]))


@pass_context
def _part_text(context: Context, name: str, **facts: object) -> str:
    """A part as text alone, where the HTML needs it so."""
    script: MailRenderer = context["script"]
    return script.text(part_text(context.environment, name, {**context.get_all(), **facts})).strip("\n")


def _field_token(token: str) -> Markup:
    """The field by which a form on a page shows that it is ours."""
    return Markup('<input type="hidden" name="token" value="{}">').format(token)


def _option(item: tuple[str, Any]) -> str:
    """An option of a board as a challenge has it: ``-size=40``."""
    return f"-{in_words(*item)}"


def _seat_name(seat: int, board: Board) -> str:
    return board.seats[seat].userid


def _people_at(board: Board) -> list[str]:
    """The userids of the people at a board, in the order of their seats."""
    return [each for each in dict.fromkeys(holder.userid for holder in board.seats) if not is_robot(each)]


def _called_on(board: Board, course: GameState) -> str:
    """The player whom a Subject names: the only one to answer an offer, else the one to act; empty once it is over."""
    if course.to_act is None:
        return ""
    waits = waited_for(board, course)
    return board.seats[board.seats_of(waits[0])[0] if len(waits) == 1 else course.to_act].userid


def _like(known: Sequence[str], word: str) -> list[str]:
    """Those of the known words that a word may have been meant for."""
    return closest(getattr(word, "typed", word), known)


def _without_move(reason: str, move: str) -> str:
    """The reason why a move cannot be played, without that move in front of it, as it has just been named."""
    head, colon, rest = reason.partition(":")
    return rest.strip() if colon and head.strip().casefold() == move.strip().casefold() else reason


FUNCTIONS: dict[str, Callable[..., object]] = {
    "called_on": _called_on,
    "part": _part,
    "people_at": _people_at,
    "source_of": _source_of,
    "part_text": _part_text,
    "blocks_of": blocks_of,
    "mailto": mailto,
    "viewer": viewer,
    "first_untold": first_untold,
    "played_lately": played_lately,
    "is_guest": is_guest,
    "is_robot": is_robot,
    "side_if_several": side_if_several,
    "field_token": _field_token,
    "obstacle": obstacle,
    "silence_ends_at": silence_ends_at,
}
"""The functions that every template may call."""
FILTERS: dict[str, Callable[..., object]] = {
    "fill": fill,
    "wrap": wrap,
    "columns": columns,
    "entry": entry,
    "listed": listed,
    "duration": _duration,
    "ago": _ago,
    "pace": _pace,
    "decimal": _decimal,
    "local": _local,
    "moment": _moment,
    "short_moment": _short_moment,
    "day": _day,
    "halves": halves,
    "quarters": quarters,
    "seat_name": _seat_name,
    "option": _option,
    "zip": zip,
    "like": _like,
    "without_move": _without_move,
}
"""The filters that every template may use."""
