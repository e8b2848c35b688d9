"""The tables of `docs/robots.md`, from what was played: ``python -m tests.matches.tables``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from tests.matches.all import results
from tests.matches.match import interval
from tests.matches.programme import GAMES, HALL, PARTS, with_settings


def tables() -> dict[str, str]:
    """Each table of the programme, as Markdown, as far as its matches were played."""
    played = sorted(results(), key=lambda each: each["table"])
    return {name: table(list(rows)) for name, rows in groupby(played, key=lambda each: each["table"])}


def table(played: Sequence[dict[str, Any]]) -> str:
    """A row for each game, a column for each pair of opponents: score and 95 % interval, in per cent."""
    pairs = list(dict.fromkeys(_pair(each) for each in sorted(played, key=_level_in_hall)))
    rows = [["", *(_title(*pair) for pair in pairs)], ["---"] * (len(pairs) + 1)]
    for variant in (*GAMES, *HALL):
        found = {_pair(each): each for each in played if each["variant"] == variant}
        if found:
            rows.append([_name(variant), *(_cell(found.get(pair)) for pair in pairs)])
    return "\n".join(_row(row) for row in rows)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(facts: dict[str, Any] | None) -> str:
    if facts is None:
        return ""
    won, drawn, lost = facts["won"], facts["drawn"], facts["lost"]
    count = won + drawn + lost
    score = (won + drawn / 2) / count
    low, high = interval(score, count)
    return f"{100 * score:.1f} ({100 * low:.0f} to {100 * high:.0f})"


def _level_in_hall(facts: dict[str, Any]) -> str:
    """The stronger level of a match in the hall, whose matches are played in any order; empty for all others."""
    return str(facts["one"]) if facts["variant"] in HALL else ""


def _pair(facts: dict[str, Any]) -> tuple[str, str]:
    return facts["one"], facts["other"]


def _title(one: str, other: str) -> str:
    for name, part in PARTS.items():
        if (one, other) == (with_settings(part.one), with_settings(part.other)):
            return name
    return f"{one} against {other}"


def _name(variant: str) -> str:
    if variant in HALL:
        return HALL[variant]
    game, *options = variant.split()
    return " ".join([game.capitalize(), *(f"`-{option}`" for option in options)])


if __name__ == "__main__":
    for name, text in tables().items():
        print(f"{name}\n\n{text}\n")
