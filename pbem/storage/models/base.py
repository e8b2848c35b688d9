"""The base of all tables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from inspect import get_annotations
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar, cast, get_args

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    TypeDecorator,
    text,
)
from sqlalchemy.sql.schema import SchemaItem
from sqlalchemy.types import TypeEngine


class UtcDateTime(TypeDecorator[datetime]):
    """An aware moment, stored in UTC; SQLite, which knows no zones, gets it without one."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse naive moments; turn others to UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a timezone")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the moment its zone back."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


_KINDS: dict[Any, Any] = {
    datetime: UtcDateTime,
    date: Date,
    bool: Boolean,
    float: Float,
    str: String,
    dict[str, Any]: JSON,
    int: BigInteger().with_variant(Integer, "sqlite"),
}
"""The types of columns, by what is in them; those of others are said with the column."""


if TYPE_CHECKING:  # at run time a class has only to know what is in its columns
    from sqlalchemy import ColumnClause

    Stored = ColumnClause
else:

    class Stored:
        """A column, by what is in it: ``Stored[int]``, or ``Stored[int | None]`` where it may be NULL."""

        def __class_getitem__(cls, content: object) -> object:
            return content


class Base:
    """Root of the tables: a class has their columns as attributes, and stands for its table in statements.

    Constraints are named alike on both databases, so that migrations find them.
    """

    metadata: ClassVar = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    __tablename__: ClassVar[str]
    __table_args__: ClassVar[tuple[SchemaItem, ...]] = ()
    __table__: ClassVar[Table]

    def __init_subclass__(cls, **options: Any) -> None:
        """Make the table of the columns that are declared: ``name: Stored[str]``, or ``… = column(…)``.

        Args:
            options: of the table, beside ``__table_args__``.
        """
        columns = [
            _made(name, content, cls.__dict__.get(name, _Declared()))
            for name, content in get_annotations(cls, eval_str=True).items()
        ]
        cls.__table__ = Table(cls.__tablename__, cls.metadata, *columns, *cls.__table_args__, **options)
        for each in columns:
            setattr(cls, each.key, each)

    @classmethod
    def __clause_element__(cls) -> Table:
        """The table, where SQLAlchemy asks for one."""
        return cls.__table__


class _Declared(NamedTuple):
    """Whatever is said of a column beside its name and what is in it."""

    items: tuple[Any, ...] = ()
    options: Mapping[str, Any] = {}


def column(*items: TypeEngine[Any] | type[TypeEngine[Any]] | ForeignKey, **options: Any) -> Any:
    """Say more of a column: its type, if others may have the same in them, and whatever `Column` takes."""
    return _Declared(items, options)


def _made(name: str, content: Any, declared: _Declared) -> Column[Any]:
    """Make a column; it may be NULL if None may be in it."""
    inner = [each for each in get_args(content) if each is not NoneType] if isinstance(content, UnionType) else []
    is_said = any(not isinstance(each, ForeignKey) for each in declared.items)
    kind = () if is_said else (_KINDS[inner[0] if inner else content],)
    return Column(name, *kind, *declared.items, **{"nullable": bool(inner), **declared.options})


RowT = TypeVar("RowT", bound=Base)


def aliased(row: type[RowT]) -> type[RowT]:
    """A table once more, under a name of its own in the same statement."""
    alias = row.__table__.alias()
    columns = {each.key: each for each in alias.c}
    return cast("type[RowT]", type(row.__name__, (), {**columns, "__clause_element__": lambda: alias}))


WAITING = "state = 'waiting'"
"""Of inbox, outbox and tasks: the rows that are looked for again and again, among many that are done with."""
SHUNTED = "state = 'shunted'"
FAILED = "state = 'failed'"
"""Like `SHUNTED` what the operator is to look after: counted every few seconds."""


_TRUTHS = re.compile(r"(NOT )?\b(active|here|of_guest)\b")
"""Columns that are true or false, as conditions name them."""


def partial_index(name: str, *columns: str, only: str, unique: bool = False) -> Index:
    """An index of the rows of which a condition holds.

    SQLite looks into it only if a query says the same in the same words, so truth is written as queries write it
    there, and what a condition is compared with must stand in the query, too, rather than be given to it.
    """
    on_sqlite = _TRUTHS.sub(lambda found: f"{found[2]} = {0 if found[1] else 1}", only)
    return Index(name, *columns, unique=unique, sqlite_where=text(on_sqlite), postgresql_where=text(only))
