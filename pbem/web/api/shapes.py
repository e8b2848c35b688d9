"""What schemas of JSON are put together of (JSON Schema, draft 2020-12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Json: TypeAlias = Mapping[str, Any]
"""An object that becomes JSON."""
Schema: TypeAlias = Json
"""A JSON Schema, draft 2020-12."""


def obj(about: str = "", **properties: Schema) -> Schema:
    """An object that has just these members."""
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
    """An object whose members' names are not known beforehand."""
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
    """One of the schemas that have a name."""
    return {"$ref": f"#/components/schemas/{name}"}
