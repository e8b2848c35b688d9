"""What robots have to do, whoever asks for it: boards have errands for them, players want analyses."""

from __future__ import annotations

from typing import TypeAlias

from pbem.bots.analysis import Look, SearchRequest
from pbem.bots.thinking import Opinion
from pbem.domain.mails import Notice
from pbem.domain.robots import Analysis, RobotTask, Work
from pbem.usecases import analyses
from pbem.usecases import searches as errands
from pbem.usecases.context import Context
from pbem.usecases.searches import PositionInquiry

SearchResult: TypeAlias = Opinion | tuple[Look, ...]
"""Of a position, for an errand; of moves that were made, for an analysis."""


def inquiry_for(work: Work, context: Context) -> PositionInquiry | SearchRequest | None:
    """What there is to think about before something can be done; None: nothing, or it has been overtaken."""
    match work:
        case RobotTask():
            return errands.inquiry_for(work, context)
        case Analysis():
            return analyses.inquiry_for(work, context)


def carry_out(work: Work, thought: SearchResult | None, context: Context) -> list[Notice] | None:
    """Do what was thought of; None: it has been overtaken.

    Args:
        work: what was to be done.
        thought: of what `inquiry_for` says; None where that is nothing.
        context: of the server.

    Raises:
        PlayerError: it cannot be done, which is our mistake.
    """
    match work, thought:
        case RobotTask() as errand, (Opinion() | None) as opinion:
            return errands.carry_out(errand, opinion, context)
        case Analysis() as analysis, (tuple() | None) as looks:
            return analyses.tell_analysis(analysis, looks, context)
        case _:
            raise AssertionError("a thought about something else")


def stuck(work: Work, context: Context) -> list[Notice]:
    """What those are told who wait for something that cannot be thought out."""
    match work:
        case RobotTask():
            return errands.stuck(work, context)
        case Analysis():
            return analyses.tell_no_analysis(work, "stuck", context)
