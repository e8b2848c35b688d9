"""Answers of the API."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from http import HTTPStatus
from typing import Any, TypeAlias, TypeVar

from starlette.responses import Response

from pbem.commands.command import Command
from pbem.domain.watches import NoSuchPart
from pbem.errors import PlayerError, Unreadable
from pbem.usecases.context import Context, NoSuchGame
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.puzzles import NoSuchPuzzle
from pbem.usecases.rankings import NoSuchVariant
from pbem.usecases.studies import NoSharedStudy
from pbem.usecases.tournament_entries import NoSuchTournament
from pbem.usecases.understanding import NoSuchBoard, NoSuchMove, NoSuchPlayer, OtherGame
from pbem.web.caching import COMPRESSED_OR_NOT, has_already, tag_of
from pbem.web.context import RequestContext
from pbem.wording.templates import template_name

Json: TypeAlias = Mapping[str, Any]
"""An object that becomes JSON."""
Schema: TypeAlias = Json
"""A JSON Schema, draft 2020-12."""


def obj(about: str = "", **properties: Schema) -> Schema:
    """An object with exactly these members."""
    told = {"description": about} if about else {}
    return {
        "type": "object",
        **told,
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def many(items: Schema, about: str = "") -> Schema:
    """A list."""
    return {"type": "array", "items": items} | ({"description": about} if about else {})


def by_name(values: Schema, about: str) -> Schema:
    """An object whose members have names that are not known beforehand."""
    return {"type": "object", "additionalProperties": values, "description": about}


def maybe(schema: Schema) -> Schema:
    """The same, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def text(about: str = "", **more: object) -> Schema:
    """A string."""
    return {"type": "string", **({"description": about} if about else {}), **more}


def whole(about: str = "", least: int = 0) -> Schema:
    """A whole number."""
    return {"type": "integer", "minimum": least} | ({"description": about} if about else {})


def ref(name: str) -> Schema:
    """One of the named schemas."""
    return {"$ref": f"#/components/schemas/{name}"}


AnswerT = TypeVar("AnswerT")


MISSING = (
    *(
        NoSuchBoard,
        NoSuchMove,
        NoSuchPlayer,
        NoSuchGame,
        NoSuchTournament,
        NoSuchPart,
        NoSuchPuzzle,
        NoSuchVariant,
        NoSharedStudy,
        OtherGame,
    ),
)
"""Refusals because something does not exist: 404."""
_FRESH = "public, no-cache"
"""May be kept, but must be revalidated each time, which is cheap: 304."""


@dataclass(frozen=True)
class Field:
    """A field of an address: part of its path or of its query."""

    name: str
    about: str
    """Its meaning, in half a sentence."""
    schema: Schema = field(default_factory=lambda: {"type": "string"})
    in_path: bool = False


@dataclass(frozen=True)
class Endpoint:
    """An address that answers with JSON."""

    path: str
    """As the framework writes it: ``/boards/{number:number}.json``."""
    name: str
    """Its name in the description of all endpoints."""
    about: str
    """The meaning of its answer, in one sentence."""
    answer: Callable[[RequestContext], object]
    """Makes the JSON value, or raises the refusal."""
    schema: Schema
    fields: Sequence[Field] = ()

    def show(self, visit: RequestContext) -> Response:
        """Answer a request."""
        return answered(visit, self.answer)


def look(visit: RequestContext, question: Callable[[Context], AnswerT]) -> AnswerT:
    """Answer a question asked by nobody in particular, whoever is signed in."""
    return visit.site.executor.look(question, visit.now, visit.evidence, visit.freshness)


def ask(visit: RequestContext, command: Command) -> Mapping[str, Any]:
    """The facts of a command that only reads, as everybody may see them.

    Raises:
        PlayerError: they cannot be shown.
    """
    return look(visit, lambda context: dispatch(command, context)[0].facts)


def answered(visit: RequestContext, answer: Callable[[RequestContext], object]) -> Response:
    """An answer, a refusal, or 304 for a client that already has the answer."""
    try:
        body = encoded(answer(visit))
    except PlayerError as wrong:
        return refused(visit, wrong)
    tag = tag_of(body)
    headers = {"etag": tag, "cache-control": _FRESH}
    if has_already(visit.request, tag):
        return Response(status_code=304, headers={**headers, "vary": COMPRESSED_OR_NOT})
    return Response(body, media_type="application/json", headers=headers)


def encoded(value: object) -> bytes:
    """A value as JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=as_json).encode()


def refused(
    visit: RequestContext, wrong: PlayerError, status: int = 0, headers: Mapping[str, str] | None = None
) -> Response:
    """A refusal as JSON.

    Args:
        visit: the request.
        wrong: the refusal.
        status: of HTTP; 0: the one that fits the refusal.
        headers: more of them.
    """
    status = status or status_of(wrong)
    told = {"detail": visit.site.wording.reason(wrong), **error_facts(wrong)}
    return problem(status, told, headers)


def problem(status: int, told: Mapping[str, object], headers: Mapping[str, str] | None = None) -> Response:
    """An error in the form of RFC 9457."""
    body = encoded({"title": HTTPStatus(status).phrase, "status": status, **told})
    more = {"cache-control": "no-store", **(headers or {})}
    return Response(body, status, media_type="application/problem+json", headers=more)


def status_of(wrong: PlayerError) -> int:
    """The status of HTTP that fits a refusal."""
    if isinstance(wrong, MISSING):
        return 404
    return 400 if isinstance(wrong, Unreadable) else 403


def error_facts(wrong: PlayerError) -> Mapping[str, object]:
    """A refusal for programs: its name, and its facts that can be written as JSON."""
    facts = {name: _fact(fact) for name, fact in wrong.facts.items()}
    return {"code": template_name(type(wrong)), "facts": {name: fact for name, fact in facts.items() if fact != ...}}


def _fact(fact: object) -> object:
    """A fact as JSON, or ``...`` for one that only templates can read."""
    if isinstance(fact, PlayerError):
        return error_facts(fact)
    if fact is None or isinstance(fact, bool | int | str | date | timedelta):
        return fact
    if isinstance(fact, tuple | list):
        return [each for each in map(_fact, fact) if each != ...]
    return ...


def as_json(value: object) -> object:
    """A moment, a date or a time as JSON: in the words of ISO 8601, and in seconds."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return int(value.total_seconds())
    raise TypeError(f"this is no JSON: {type(value).__name__}")
