"""Play what is still missing of the programme: ``python -m tests.matches.all [processes]``.

Each result goes to `RESULTS` as soon as a match is over, so that the rest can be played another night. After a change
of the search the file is to be removed.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.matches.__main__ import line
from tests.matches.match import Result, match
from tests.matches.programme import Match, matches

RESULTS = Path(__file__).parent / "results.jsonl"


def main(jobs: int) -> None:
    """Play, one match after the other."""
    done = {_key(each) for each in results()}
    for each in matches():
        if _key(asdict(each)) not in done:
            play(each, jobs)


def play(each: Match, jobs: int) -> None:
    """Play a match, and add what came of it to the file."""
    result = Result(list(match(each.variant, each.one, each.other, games=each.games, seed=each.seed, jobs=jobs)))
    print(f"{each.one} against {each.other}: {line(each.variant, result)}", flush=True)
    won, drawn, lost = result.wins
    facts = asdict(each) | {"won": won, "drawn": drawn, "lost": lost, "seconds": result.seconds_a_turn}
    with RESULTS.open("a", encoding="utf-8") as file:
        print(json.dumps(facts), file=file)


def results() -> list[dict[str, Any]]:
    """What was played so far."""
    return [json.loads(each) for each in RESULTS.read_text().splitlines()] if RESULTS.exists() else []


def _key(facts: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(facts[name] for name in ("table", "variant", "one", "other", "games", "seed"))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else os.cpu_count() or 1)
