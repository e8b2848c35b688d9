"""Finds puzzles, numbers them, and solves them anew.

    python -m tests.puzzles find mambo raw.jsonl --seed 1
    python -m tests.puzzles find lambo raw.jsonl --seed 1 --survive
    python -m tests.puzzles number raw.jsonl ...
    python -m tests.puzzles check

``find`` goes on until it has as many as `WANTED` or `TO_SURVIVE` says. ``number`` puts what is new behind the puzzles
that are stored: those that need one turn first, those to survive last, the games by turns.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pbem.bots.finding import puzzle_at, puzzles_in, self_play, survival_at, survivals_in
from pbem.bots.puzzles import MOST_TO_WIN, Goal, from_json, to_json
from tests.bots.endgames import GAMES

STORED = Path(__file__).parents[2] / "pbem" / "bots" / "puzzles.jsonl"

WANTED: Mapping[str, tuple[int, ...]] = {
    "superbo": (40,),
    "superbo single": (10, 30),
    "mambo": (15, 40, 25),
    "mambo mamba": (3, 10, 5),
    "mambo mamboa": (3, 10, 5),
    "lambo": (40,),
    "palago": (30,),
}
"""Of each variant, how many are to be won in one turn, in two, in three.

Where there are many steps, three turns are too many to solve within a minute; where two tiles make a turn, so are two.
With ``mambogo``, which is decided by territory, hardly anything is found.
"""
TO_SURVIVE: Mapping[str, int] = {"lambo": 7, "mambo": 7, "superbo single": 5}
"""Of each variant, how many are to be survived."""
_PLAYOUTS = 64
"""For a turn of the games in which puzzles are found."""


def found(variant: str, seed: int) -> Iterator[dict[str, Any]]:
    """Puzzles of a variant; of each game at most one, of those still wanted the one that takes most turns."""
    name, *words = variant.split()
    game, options, wanted = GAMES[name], GAMES[name].read_options(words), WANTED[variant]
    made = Counter[int]()
    while any(made[turns] < count for turns, count in enumerate(wanted, start=1)):
        turns, seed = self_play(game, options, seed, _PLAYOUTS), seed + 1
        lacking = [each for each, count in enumerate(wanted, start=1) if made[each] < count]
        best = None
        for each in puzzles_in(game, options, turns, max(lacking)):
            if each.wins_in in lacking and (best is None or each.wins_in > best.wins_in):
                best = each
            if best is not None and best.wins_in == max(lacking):
                break
        if best is not None:
            made[best.wins_in] += 1
            sys.stderr.write(f"{variant}: seed {seed - 1}, {dict(made)}\n")
            yield to_json(best)


def found_to_survive(variant: str, seed: int) -> Iterator[dict[str, Any]]:
    """Puzzles of a variant to survive; of each game at most one, that which takes most answers to refute what loses."""
    name, *words = variant.split()
    game, options, made = GAMES[name], GAMES[name].read_options(words), 0
    while made < TO_SURVIVE[variant]:
        turns, seed = self_play(game, options, seed, _PLAYOUTS), seed + 1
        best = max(survivals_in(game, options, turns), key=lambda each: len(each.threats), default=None)
        if best is not None:
            made += 1
            sys.stderr.write(f"{variant}: seed {seed - 1}, {made} to survive\n")
            yield to_json(best)


def number(raw: Sequence[Path]) -> None:
    """Put new puzzles behind those that are stored."""
    old = _lines(STORED) if STORED.exists() else []
    known = {_position(each) for each in old}
    new = [[each for each in _lines(path) if _is_new(each, known)] for path in raw]
    added: list[dict[str, Any]] = []
    for turns in (*range(1, MOST_TO_WIN + 1), 0):
        queues = [[each for each in queue if each.get("wins_in", 0) == turns] for queue in new]
        for place in range(max(map(len, queues), default=0)):
            added += [queue[place] for queue in queues if place < len(queue)]
    numbered = [*old, *({**each, "number": which} for which, each in enumerate(added, start=len(old) + 1))]
    text = "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in numbered)
    STORED.write_text(text, encoding="utf-8")


def check(numbers: Sequence[int] = ()) -> list[int]:
    """Solve what is stored anew; the numbers of puzzles that are not what they say."""
    wrong = []
    for line in _lines(STORED):
        stored = from_json(line)
        if not numbers or stored.number in numbers:
            position = (GAMES[stored.game], stored.options, stored.turns)
            is_to_win = stored.goal is Goal.WIN
            solved = puzzle_at(*position, stored.wins_in) if is_to_win else survival_at(*position)
            if solved is None or {**to_json(solved), "number": stored.number} != line:
                wrong.append(stored.number)
    return wrong


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _is_new(line: Mapping[str, Any], known: set[str]) -> bool:
    """Note a position; return True if it was not known before."""
    position = _position(line)
    is_new = position not in known
    known.add(position)
    return is_new


def _position(line: Mapping[str, Any]) -> str:
    return json.dumps([line["game"], line["options"], line["turns"]])


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.puzzles", description=(__doc__ or "").split("\n")[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    finds = verbs.add_parser("find")
    finds.add_argument("variant", choices=WANTED)
    finds.add_argument("out", type=Path)
    finds.add_argument("--seed", type=int, default=1)
    finds.add_argument("--survive", action="store_true")
    verbs.add_parser("number").add_argument("raw", type=Path, nargs="+")
    verbs.add_parser("check").add_argument("numbers", type=int, nargs="*")
    asked = parser.parse_args()
    if asked.verb == "find":
        if asked.survive and asked.variant not in TO_SURVIVE:
            parser.error(f"none of {asked.variant} are to be survived")
        search = found_to_survive if asked.survive else found
        with asked.out.open("a", encoding="utf-8") as out:
            for each in search(asked.variant, asked.seed):
                out.write(json.dumps(each, separators=(",", ":")) + "\n")
                out.flush()
    elif asked.verb == "number":
        number(asked.raw)
    else:
        sys.exit(f"not what they say: {wrong}" if (wrong := check(asked.numbers)) else 0)


if __name__ == "__main__":
    main()
