"""Play matches: ``python -m tests.matches "mambo mamba" robot2 robot1 --games 100``; several variants with commas."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.matches.match import Played, Result, match


def main(words: Sequence[str]) -> None:
    """Play, and print a line of a table for each variant; with ``--json`` also an object to a file."""
    asked = _parser().parse_args(words)
    print(f"{asked.one} against {asked.other}, {asked.games} games each, seed {asked.seed}")
    print(f"{'':28}score  95 %         won drawn lost  turns  seconds a turn")
    for variant in asked.variants.split(","):
        found: list[Played] = []
        for game in match(variant, asked.one, asked.other, games=asked.games, seed=asked.seed, jobs=asked.jobs):
            found.append(game)
            if sys.stderr.isatty():
                print(f"\r{variant} {len(found)}", end="\r", file=sys.stderr)
        result = Result(found)
        print(line(variant, result), flush=True)
        if asked.json:
            with asked.json.open("a", encoding="utf-8") as file:
                print(json.dumps(facts(asked, variant, result)), file=file)


def line(variant: str, result: Result) -> str:
    """A line of the table."""
    low, high = result.interval
    won, drawn, lost = result.wins
    turns = sum(each.turns for each in result.games) / len(result.games)
    one, other = result.seconds_a_turn
    return (
        f"{variant:28}{result.score:5.1%}  {low:.1%}-{high:.1%} {won:5}{drawn:5}{lost:5}"
        f"{turns:8.0f}  {one:.2f} {other:.2f}"
    )


def facts(asked: argparse.Namespace, variant: str, result: Result) -> dict[str, object]:
    """The result of a match, for programs."""
    who = {"one": asked.one, "other": asked.other, "variant": variant, "seed": asked.seed}
    return {**who, "games": len(result.games), "wins": result.wins, "score": result.score, "interval": result.interval}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.matches", description=__doc__)
    parser.add_argument("variants", help="games with options, dashes left out, commas between them")
    parser.add_argument("one", help="random, robot1 to robot5, or playouts with settings: 1024,alike=0")
    parser.add_argument("other", help="the same")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", type=Path, help="a file to which results are added")
    return parser


if __name__ == "__main__":
    main(sys.argv[1:])
