"""The tables and drawings of docs/palago.md, from the proofs that are kept: ``python -m tests.proofs.page``."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from pbem.diagrams.hextile.letters import draw
from pbem.games.hextile.lambo import PALAGO
from pbem.games.hextile.position import Position
from tests.matches.openings import PAIRS
from tests.proofs.check import KEPT, turns
from tests.proofs.tree import Line, Proof, to_proof, walk


def proofs() -> list[Proof]:
    """The proofs of openings, the shortest first."""
    found = [to_proof(path.read_text()) for path in KEPT.glob("palago-??-*.txt")]
    return sorted(found, key=lambda proof: (len(proof), proof.turns))


def turns_to_win(proof: Proof) -> int:
    """The most turns that the winner needs: those of the longest line, and the one that wins at once."""
    return max(depth for depth, _ in walk(proof.lines)) + 2


def pair_of(proof: Proof) -> tuple[str, ...]:
    """All first turns that make the same pair."""
    return next(pair for pair in PAIRS if proof.turns[0] in pair)


def table() -> str:
    """A row for each proof, as Markdown."""
    rows = [["Light's first turn", "winner", "in turns", "turns in the proof"], ["---"] * 4]
    rows += [
        [", ".join(pair_of(proof)), proof.wins, f"{turns_to_win(proof)} or fewer", str(len(proof))]
        for proof in proofs()
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main_line(proof: Proof) -> list[str]:
    """The turns of a longest line of a proof, the one that wins at once last; there is always one that resists."""
    found, lines, position = [*proof.turns], proof.lines, begun(proof)
    while lines:
        line = max(lines, key=_longest)
        found += [text for text in (line.answer, line.turn) if text]
        position = _after(position, [text for text in (line.answer, line.turn) if text])
        lines = line.then
    answer, last = next(_last(position))
    return [*found, answer, last]


def _longest(line: Line) -> tuple[int, int]:
    """Order lines by how deep they go, then by how many follow."""
    below = [depth for depth, _ in walk(line.then)]
    return max(below, default=-1), len(below)


def begun(proof: Proof) -> Position:
    """The position that a proof begins with."""
    return _after(PALAGO.begin(PALAGO.read_options(()), 2, 0), proof.turns)


def _after(position: Position, texts: list[str] | tuple[str, ...]) -> Position:
    for text in texts:
        position = PALAGO.read_input(position, text).position
    return position


def _last(position: Position) -> Iterator[tuple[str, str]]:
    """An answer, and a turn that wins at once after it."""
    for answer in turns(position):
        for after in turns(answer) if answer.outcome is None else ():
            if after.outcome is not None and after.outcome.winners == (answer.to_act,):
                yield text_of(answer), text_of(after)


def text_of(position: Position) -> str:
    """The turn that led to a position."""
    return PALAGO.input_text(position, ()).move


def drawing(position: Position) -> str:
    """A position as mails draw it, as a block of Markdown."""
    labels = {cell: space.label for cell, space in position.layout.spaces.items()}
    return f"```\n{draw(position.layout.tiles, labels if position.outcome is None else None)}\n```"


def section(proof: Proof) -> str:
    """A proof in words and pictures: the winner's first turn, and a line that is as long as any."""
    line = main_line(proof)
    pair, first = ", ".join(pair_of(proof)), proof.lines[0].turn
    return "\n\n".join(
        [
            f"### {pair}",
            f"After {proof.turns[0]}, {proof.wins} plays {first}:",
            drawing(_after(begun(proof), [first])),
            fill(f"A longest line: {' · '.join(line)}.", 120, break_on_hyphens=False),
            drawing(_after(PALAGO.begin(PALAGO.read_options(()), 2, 0), line)),
        ]
    )


if __name__ == "__main__":
    print(table(), *(section(proof) for proof in proofs()), sep="\n\n")
