"""What a process knows of itself, for who watches over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from pbem.mail_in.doors import Door
from pbem.storage import schema
from pbem.workers.loop import Loop
from pbem.workers.watch import DatabaseWatch


class Vitals:
    """The state of a process, from its start to its end; what is wrong is said in words for its operator.

    Args:
        engine: of the database.
        health: whether it could be written lately.
    """

    def __init__(self, engine: Engine, health: DatabaseWatch) -> None:
        self._engine = engine
        self._health = health
        self._schema = schema.newest()  # now: files of a newer version may be put in place while this one runs
        self._closed = ["it is starting"]
        self._doors: Mapping[str, Door] = {}
        self._loops: Sequence[Loop] = ()

    def begin(self, doors: Mapping[str, Door], loops: Sequence[Loop]) -> None:
        """From now on work is taken: these doors are open, these loops have been started."""
        self._doors, self._loops, self._closed = doors, loops, []

    def end(self) -> None:
        """From now on no new work is taken; what is under way is finished."""
        self._closed = ["it is ending"]

    def stuck(self) -> list[str]:
        """The loops that do not go on."""
        return [f"the loop {loop.name} is stuck" for loop in self._loops if loop.is_stuck]

    def closed(self) -> list[str]:
        """Why no work is taken here now."""
        shut = [f"the {name} door is shut" for name, door in self._doors.items() if not door.is_open]
        return self._closed or shut

    def out_of_order(self) -> list[str]:
        """What is wrong with the database."""
        try:
            found, _ = schema.revisions(self._engine)
        except SQLAlchemyError:
            return ["the database does not answer"]
        if found != self._schema:
            return [f"the database has the tables of version {found}, wanted are those of {self._schema}"]
        return [] if self._health.is_well else ["the database cannot be written"]
