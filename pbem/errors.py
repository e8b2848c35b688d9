"""The roots of everything that pbem raises on purpose.

A leaf stands beside the code that raises it and carries facts, no wording: a
template named after it (``CornerMismatch`` → ``errors/corner_mismatch.txt``)
words it for the player. Anything that is not a `PlayerError` is our own bug and
never reaches a player.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from inspect import get_annotations
from typing import Annotated, Any, ClassVar, TypeAlias, dataclass_transform, get_args, get_origin, get_type_hints

Quoted: TypeAlias = Annotated[str, 40]
"""A fact in somebody's own words, of which so many characters are repeated."""


@dataclass_transform(eq_default=False)
class PbemError(Exception):
    """Root of all; ``facts`` are what a template or a log needs to tell what happened.

    A leaf declares its facts as a dataclass does its fields: ``word: str``. They are the parameters of its
    constructor, inherited ones first, and its attributes. ``Annotated[str, 40]`` cuts a text to so many characters;
    collections become tuples. One that works its facts out has a constructor, which calls ``PbemError.__init__``.
    """

    def __init__(self, *args: object, **facts: object) -> None:
        leaf: Any = type(self)
        limits = _declared(leaf)
        given = dict(zip(limits, args, strict=False)) | facts
        for name, limit in limits.items():
            fact = given.setdefault(name, getattr(leaf, name, _MISSING))
            if fact is _MISSING:
                raise TypeError(f"{leaf.__name__} needs {name}")
            given[name] = _as_fact(fact, limit)
            setattr(self, name, given[name])
        super().__init__(given)
        self.facts = given

    def __str__(self) -> str:
        told = ", ".join(f"{name}={fact!r}" for name, fact in self.facts.items())
        return f"{type(self).__name__}({told})"


@cache
def _declared(leaf: type[PbemError]) -> dict[str, int | None]:
    """The facts that an error declares, in order, and to how many characters each is cut."""
    hints: dict[str, Any] = get_type_hints(leaf, include_extras=True)
    names = [name for each in reversed(leaf.__mro__) for name in get_annotations(each)]
    facts = (name for name in dict.fromkeys(names) if get_origin(hints[name]) is not ClassVar)
    return {name: get_args(hints[name])[1] if get_origin(hints[name]) is Annotated else None for name in facts}


def _as_fact(value: object, limit: int | None) -> object:
    if isinstance(value, str):
        return value if limit is None else value[:limit]
    if isinstance(value, Collection) and not isinstance(value, Mapping | tuple | bytes):
        return tuple(value)
    return value


_MISSING = object()


class PlayerError(PbemError):
    """A player's request cannot be carried out; nothing has changed."""


class Unreadable(PlayerError):
    """The words cannot be understood."""


class NotAllowed(PlayerError):
    """The words are understood, but this may not be done, or not now, or not by this player."""


class NotNow(NotAllowed):
    """The form of the command is right, and no other would help: the board or what is kept of it must change first."""


class Ambiguous(PlayerError):
    """The words can be understood in more than one way."""


class DamagedBoard(PbemError):
    """The rules cannot follow what is stored of a board: no player is to blame, and the operator must hear of it."""

    board: int
    why: str


class Conflict(PbemError):
    """Somebody else changed what a unit of work was decided upon; it must be decided anew."""
