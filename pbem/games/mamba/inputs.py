"""What one letter brings: a line of steps, played one after the other as far as one player plays them in one turn."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.game import IllegalMove, Input, Seat
from pbem.games.mamba import refusals
from pbem.games.mamba.position import Position, play_step, resolve
from pbem.games.mamba.refusals import BadStep, IllegalStep
from pbem.games.mamba.steps import Cut, Step, Typed, in_words


def play_line(position: Position, read: Sequence[Typed | BadStep]) -> Input[Step, Position]:
    """Play the steps of a line; those that cannot be read or played are gathered into one refusal.

    What stands behind a decision that belongs to somebody else is left over.

    Raises:
        UnreadableMove, IllegalMove: one of `refusals`.
    """
    now, left_over = position, ""
    steps: list[Step] = []
    refused: list[BadStep | IllegalStep] = [step for step in read if isinstance(step, refusals.BadStep)]
    for which, typed in enumerate(read, start=1):
        if isinstance(typed, refusals.BadStep):
            continue
        if steps and _is_others(now, position.to_act):
            left_over = " ".join(each.text for each in read[which - 1 :] if isinstance(each, Typed))
            break
        try:
            _check_goes_on(position, now, typed.text, which)
            meant = resolve(now, typed.step, typed.text, which)
            now = play_step(now, typed.step, typed.text, which)
            steps.append(meant)
        except refusals.IllegalStep as wrong:
            refused.append(wrong)
            if isinstance(wrong, refusals.NOTHING_BEHIND):
                break
    if refused:
        raise refusals.of_line(read, sorted(refused, key=lambda each: each.which))
    return Input(tuple(steps), now, left_over)


def play_steps(position: Position, steps: Sequence[Step]) -> Position:
    """The position after the steps of one input.

    Raises:
        IllegalMove: one of `refusals`.
    """
    now = position
    for which, step in enumerate(steps, start=1):
        said = in_words(position.rules.grid, step)
        _check_goes_on(position, now, said, which)
        now = play_step(now, step, said, which)
    return now


def resolved(position: Position, steps: Sequence[Step]) -> Sequence[Step]:
    """The steps as a letter that typed them would have them; those that cannot be played stay as they are."""
    if not any(isinstance(step, Cut) for step in steps):
        return steps
    try:
        played = play_line(position, [Typed(in_words(position.rules.grid, step), step) for step in steps])
    except IllegalMove:
        return steps
    return steps if played.left_over else played.steps


def _check_goes_on(start: Position, now: Position, said: str, which: int) -> None:
    """Refuse one more step where the input is complete.

    Raises:
        TurnIsOver, GameIsOver: the steps before have ended the turn, or the game.
        AnswerIsComplete: they have answered what was asked in somebody else's turn, and that goes on.
        DecisionNeeded: it is for somebody else to decide first.
    """
    if now.outcome is not None:
        raise refusals.GameIsOver(said, which)
    if now.ply != start.ply:
        raise refusals.TurnIsOver(said, which)
    if _is_others(now, start.to_act):
        decision = now.decision
        raise refusals.DecisionNeeded(said, which, options=decision.options if decision else ())
    if now.to_act != start.to_act:
        raise refusals.AnswerIsComplete(said, which)


def _is_others(now: Position, seat: Seat | None) -> bool:
    """Whether the line has come to a decision of another than the player who wrote it."""
    return now.pending is not None and now.to_act != seat
