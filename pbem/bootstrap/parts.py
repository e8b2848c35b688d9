"""Parts that are made of settings, for the server and for the tools beside it."""

from __future__ import annotations

import os
from datetime import timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pbem.bots.compiling import IS_COMPILED
from pbem.domain.clocks import ClockRules
from pbem.domain.correspondents import Limits
from pbem.mail_out.headers import Headers
from pbem.mail_out.message import Composer
from pbem.usecases.context import Context, Policy
from pbem.workers.minds import Mind
from pbem.workers.operator_mails import OperatorMails
from pbem.workers.retention import Retention
from pbem.workers.slots import make_slots
from pbem.workers.thinkers import Thinkers
from pbem.workers.thoughts import Thoughts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Engine

    from pbem.bots.puzzles import Puzzle
    from pbem.config import Settings
    from pbem.domain.letters import Evidence
    from pbem.domain.replies import Signer
    from pbem.games.game import Game
    from pbem.meters import Meters
    from pbem.storage.bulletins import BulletinBoard
    from pbem.storage.outbox import Outbox
    from pbem.storage.tasks import Tasks
    from pbem.storage.unit_of_work import UnitOfWork
    from pbem.usecases.courses import Courses
    from pbem.usecases.ports import Passwords
    from pbem.wording.templates import Wording
    from pbem.workers.clerk import Clerk, MakeContext

_MOST_USUAL_THINKERS = 4
"""A machine with many processors may have little memory, and each takes some 300 MB where it is compiled."""

_PLAYOUTS_PER_ANALYSIS = {True: 400_000, False: 20_000}
"""By whether they are compiled: a game takes minutes either way."""


def policy(settings: Settings) -> Policy:
    """What the operator has decided about players."""
    return Policy(
        address=settings.address,
        confirm_signup=settings.confirm_signup,
        trust_from=settings.trust_from,
        max_commands=settings.max_commands,
        max_boards_shown=settings.max_boards_shown,
        confirm_for=timedelta(days=settings.confirm_days),
        reply_for=timedelta(days=settings.reply_days),
        clock=ClockRules(timedelta(days=settings.nag_days), timedelta(days=settings.forfeit_days)),
        tournament_clock=ClockRules(
            timedelta(days=settings.tournament_nag_days), timedelta(days=settings.tournament_forfeit_days)
        ),
        vacation_days=settings.vacation_days,
        archive_after=timedelta(days=settings.archive_days),
        broadcasts_per_day=settings.max_broadcasts_per_day,
        messages_per_day=settings.max_messages_per_day,
        challenges_per_day=settings.max_challenges_per_day,
        boards_per_robot=settings.max_boards_per_robot,
        most_playouts=settings.max_playouts,
        playouts_per_analysis=settings.max_analysis_playouts or _PLAYOUTS_PER_ANALYSIS[IS_COMPILED],
        operator=settings.operator,
        unproven_challenges_per_day=settings.max_unproven_challenges_per_day,
        limits=Limits(
            settings.max_answers_per_day,
            settings.max_answers_per_hour,
            settings.max_unread_in_a_row,
            settings.max_questions_per_day,
        ),
        wrong_passwords_per_userid=settings.max_wrong_passwords_per_userid,
        wrong_passwords_per_domain=settings.max_wrong_passwords_per_domain,
    )


def make_contexts(
    settings: Settings,
    games: Mapping[str, Game[Any, Any]],
    courses: Courses,
    passwords: Passwords,
    signer: Signer,
    puzzles: Mapping[int, Puzzle] = MappingProxyType({}),
) -> MakeContext:
    """What makes the world around a command, of a unit of work, a moment, and what shows who has written."""
    decided = policy(settings)

    def make_context(uow: UnitOfWork, now: datetime, evidence: Evidence) -> Context:
        lots, tags = signer.draw_lots, signer.tag
        return Context(uow, now, games, courses, passwords, decided, evidence, lots, tags, puzzles=puzzles)

    return make_context


def make_composer(settings: Settings, wording: Wording, signer: Signer, bulletins: BulletinBoard) -> Composer:
    """What makes mails of notices."""
    headers = Headers(settings.address, signer)
    return Composer(wording, headers, timedelta(days=settings.reply_days), bulletins.texts)


def usual_thinkers(processors: int) -> int:
    """How many processes think on a machine, if its operator does not say."""
    return min(_MOST_USUAL_THINKERS, max(1, processors - 1))


def make_thinkers(
    settings: Settings,
    tasks: Tasks,
    clerk: Clerk,
    games: Mapping[str, Game[Any, Any]],
    wake: Callable[[], None],
    meters: Meters,
) -> Thinkers:
    """What lets computer opponents play."""
    count = usual_thinkers(os.cpu_count() or 1) if settings.thinkers is None else settings.thinkers
    retry_after = timedelta(seconds=settings.retry_letter_seconds)
    return Thinkers(
        tasks=tasks,
        clerk=clerk,
        thoughts=Thoughts(tasks, clerk, settings.operator, retry_after, meters),
        slots=make_slots(count, lambda: Mind(games.values())),
        longest=settings.think_seconds,
        retry_after=retry_after,
        drain_seconds=settings.drain_seconds,
        wake=wake,
        meters=meters,
    )


def make_retention(settings: Settings, engine: Engine, composer: Composer, outbox: Outbox) -> Retention:
    """What forgets what has been kept for long enough, and tells the operator of letters that nobody looked after."""
    mails = OperatorMails(composer, settings.operator)

    def tell(connection: Connection, letters: Sequence[int], now: datetime) -> None:
        outbox.add(connection, mails.letters_forgotten(letters, settings.keep_traces_days, now), now)

    keep_mail, keep_traces = timedelta(days=settings.keep_mail_days), timedelta(days=settings.keep_traces_days)
    return Retention(engine, keep_mail, keep_traces, tell)
