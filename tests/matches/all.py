"""Play what is still missing of the programme: ``python -m tests.matches.all [--hall] [processes]``.

With ``--hall`` these are the matches between the levels in games of the hall. Each result goes to `RESULTS` as soon as
a match is over, and each game to `GAMES` until then, so that the rest can be played another night. After a change of
the search both files are to be removed.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.matches.__main__ import line
from tests.matches.match import Played, Result, match
from tests.matches.programme import Match, hall_matches, matches

RESULTS = Path(__file__).parent / "results.jsonl"
GAMES = Path(__file__).parents[2] / "build" / "matches.jsonl"
"""The games of matches that are not over."""


def main(programme: Iterable[Match], jobs: int) -> None:
    """Play, one match after the other."""
    done = {_key(each) for each in results()}
    for each in programme:
        if _key(asdict(each)) not in done:
            play(each, jobs)


def play(each: Match, jobs: int) -> None:
    """Play a match, and add what came of it to the file."""
    found = games_of(each)
    players = each.variant, each.one, each.other
    for game in match(*players, games=each.games, seed=each.seed, jobs=jobs, played=len(found), opening=each.opening):
        found.append(game)
        _add(GAMES, asdict(each) | {"played": asdict(game)})
    result = Result(found)
    print(f"{each.one} against {each.other}: {line(each.variant, result)}", flush=True)
    won, drawn, lost = result.wins
    facts = asdict(each) | {"won": won, "drawn": drawn, "lost": lost, "seconds": result.seconds_a_turn}
    _add(RESULTS, facts)


def games_of(each: Match) -> list[Played]:
    """The first games of a match, as far as they have been played, however many it was to have then."""
    same = _key(asdict(each) | {"games": None})
    lines = [facts["played"] for facts in _read(GAMES) if _key(facts | {"games": None}) == same][: each.games]
    return [Played(line["score"], line["turns"], (line["seconds"][0], line["seconds"][1])) for line in lines]


def results() -> list[dict[str, Any]]:
    """The matches that are over."""
    return _read(RESULTS)


def _add(path: Path, facts: dict[str, Any]) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        print(json.dumps(facts), file=file)


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(each) for each in path.read_text().splitlines()] if path.exists() else []


def _key(facts: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(facts[name] for name in ("table", "variant", "one", "other", "games", "seed"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.matches.all", description=__doc__)
    parser.add_argument("--hall", action="store_true", help="play those in games of the hall")
    parser.add_argument("processes", nargs="?", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    main(hall_matches() if asked.hall else matches(), asked.processes)
