"""Tasks of robots: moves and answers at boards, and analyses for players."""

from __future__ import annotations

from typing import TypeAlias

from pbem.bots.analysis import HintRequest, Look, SearchRequest
from pbem.bots.thinking import Opinion
from pbem.domain.mails import Notice
from pbem.domain.robots import Analysis, RobotTask, Work
from pbem.usecases import analyses, hints
from pbem.usecases import searches as errands
from pbem.usecases.context import Context
from pbem.usecases.searches import PositionInquiry

SearchResult: TypeAlias = Opinion | tuple[Look, ...]
"""An opinion of a position, for a task at a board; looks at moves that were made, for an analysis."""


def inquiry_for(work: Work, context: Context) -> PositionInquiry | SearchRequest | HintRequest | None:
    """The search that some work needs first; None if it needs none, or has been overtaken."""
    match work:
        case RobotTask():
            return errands.inquiry_for(work, context)
        case Analysis() if analyses.is_hint(work, context):
            return hints.inquiry_for(work, context)
        case Analysis():
            return analyses.inquiry_for(work, context)


def is_overtaken(work: Work, context: Context) -> bool:
    """Return True if the board has changed since some work was asked for, or nobody waits for it any more."""
    match work:
        case RobotTask():
            return not errands.is_due(work, context)
        case Analysis():
            return context.uow.analyses.find(work.asker) != work or not analyses.may_come(work, context)


def carry_out(work: Work, thought: SearchResult | None, context: Context) -> list[Notice] | None:
    """Do what the search has led to; None if it has been overtaken.

    Args:
        work: what was to be done.
        thought: the result of the search of `inquiry_for`; None if there was none.
        context: of the server.

    Raises:
        PlayerError: it cannot be done, which is our mistake.
    """
    match work, thought:
        case RobotTask() as errand, (Opinion() | None) as opinion:
            return errands.carry_out(errand, opinion, context)
        case Analysis() as task, (tuple() | None) as looks if analyses.is_hint(task, context):
            return hints.tell_hint(task, looks, context)
        case Analysis() as analysis, (tuple() | None) as looks:
            return analyses.tell_analysis(analysis, looks, context)
        case _:
            raise AssertionError("a thought about something else")


def stuck(work: Work, context: Context) -> list[Notice]:
    """The notices to those who wait for something that cannot be thought out."""
    match work:
        case RobotTask():
            return errands.stuck(work, context)
        case Analysis() if analyses.is_hint(work, context):
            return hints.tell_no_hint(work, context, is_overtaken=False)
        case Analysis():
            return analyses.tell_no_analysis(work, "stuck", context)
