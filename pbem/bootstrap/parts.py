"""Parts of a server, made from its settings."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine

from pbem import bots
from pbem.bootstrap import find_games
from pbem.bootstrap.wording import make_wording
from pbem.bots.compiling import IS_COMPILED
from pbem.bots.puzzles import Puzzle, from_json
from pbem.config import BadSetting, Settings
from pbem.config.values import masked_url
from pbem.domain.clocks import ClockRules
from pbem.domain.correspondents import Limits
from pbem.domain.letters import Evidence
from pbem.domain.replies import Signer
from pbem.executor import CommandExecutor, MakeContext
from pbem.games.game import Game, Seat
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_out.headers import Headers
from pbem.mail_out.message import Composer
from pbem.storage.broadcasts import BulletinBoard
from pbem.storage.inbox import Inbox
from pbem.storage.outbox import Outbox
from pbem.storage.passwords import Argon2Passwords, Passwords
from pbem.storage.robot_tasks import Tasks
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context, GameStateCache, Policy
from pbem.wording.boards import show
from pbem.wording.templates import Wording
from pbem.workers.alarms import OperatorMails
from pbem.workers.retention import Retention
from pbem.workers.robots import SearchTimes, Thinkers, Thoughts
from pbem.workers.search_processes import SearchProcess, make_slots

if TYPE_CHECKING:  # loaded where notifications are sent
    from pbem.workers.push import PushSender

_MOST_USUAL_THINKERS = 4
"""A machine with many processors may have little memory, and each takes some 300 MB where it is compiled."""

_PLAYOUTS_PER_ANALYSIS = {True: 400_000, False: 20_000}
"""By whether they are compiled: a game takes minutes either way."""


def policy(settings: Settings) -> Policy:
    """The operator's rules for players."""
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
        unreachable_for=timedelta(days=settings.unreachable_days),
        vacation_days=settings.vacation_days,
        archive_after=timedelta(days=settings.archive_days),
        broadcasts_per_day=settings.max_broadcasts_per_day,
        messages_per_day=settings.max_messages_per_day,
        challenges_per_day=settings.max_challenges_per_day,
        boards_per_robot=settings.max_boards_per_robot,
        wait_for_robots=timedelta(seconds=settings.wait_for_robots_seconds),
        most_playouts=settings.max_playouts,
        playouts_per_analysis=settings.max_analysis_playouts or _PLAYOUTS_PER_ANALYSIS[IS_COMPILED],
        takes_guests=settings.guests,
        guests_for=timedelta(days=settings.guest_days),
        guests_per_host=settings.guests_per_host_and_day,
        guests_per_day=settings.guests_per_day,
        operator=settings.operator,
        unproven_challenges_per_day=settings.max_unproven_challenges_per_day,
        limits=Limits(
            settings.max_answers_per_day,
            settings.max_answers_per_hour,
            settings.max_unread_in_a_row,
            settings.max_questions_per_day,
            settings.max_stranger_mails_per_day,
            settings.max_answer_bytes_per_day,
            settings.max_stranger_mails_per_hour,
        ),
        wrong_passwords_per_userid=settings.max_wrong_passwords_per_userid,
        wrong_passwords_per_domain=settings.max_wrong_passwords_per_domain,
    )


@dataclass(frozen=True)
class Parts:
    """The common parts of a server and of the operator's session beside it."""

    settings: Settings
    engine: Engine
    owner: str
    """The name that takes letters, mails and tasks; empty: they are only put there."""
    signer: Signer
    passwords: Passwords
    puzzles: Mapping[int, Puzzle] = field(default_factory=dict)

    @cached_property
    def games(self) -> dict[str, Game[Any, Any]]:
        """The games that are here."""
        return find_games()

    @cached_property
    def courses(self) -> GameStateCache:
        """The states of games, computed by the rules."""
        return GameStateCache(self.games)

    @cached_property
    def ours(self) -> OwnAddress:
        """Our addresses."""
        return OwnAddress(self.settings.address)

    @cached_property
    def wording(self) -> Wording:
        """The templates."""
        return make_wording(self.settings, self.games)

    @cached_property
    def bulletins(self) -> BulletinBoard:
        """The operator's messages to everyone."""
        return BulletinBoard(self.engine)

    @cached_property
    def composer(self) -> Composer:
        """Makes mails of notices."""
        site_url = self.settings.site_url if self.settings.has_pages else ""
        has_sub_addresses = self.settings.sub_addresses
        headers = Headers(self.settings.address, self.signer, site_url, has_sub_addresses=has_sub_addresses)
        return Composer(self.wording, headers, timedelta(days=self.settings.reply_days), self.bulletins.texts)

    @cached_property
    def inbox(self) -> Inbox:
        """The stored letters."""
        return Inbox(self.engine, self.owner, self._lease)

    @cached_property
    def outbox(self) -> Outbox:
        """The stored mails."""
        settings = self.settings
        relay = masked_url(settings.relay_url)
        return Outbox(self.engine, 5 * self._lease, self.owner, settings.relay_mails_per_hour, relay)

    @cached_property
    def tasks(self) -> Tasks:
        """The tasks of robots."""
        return Tasks(self.engine, self.owner, self._lease)

    @cached_property
    def push_sender(self) -> PushSender | None:
        """Sends notifications to browsers; None: there are none.

        Raises:
            BadSetting: they cannot be sent.
        """
        key, contact = self.settings.push_private_key, self.settings.push_contact
        return None if key is None or contact is None else make_push_sender(key, contact, self.settings.push_services)

    @property
    def _lease(self) -> timedelta:
        return timedelta(seconds=self.settings.lease_seconds)

    @cached_property
    def make_context(self) -> MakeContext:
        """Makes the world around a command, of a unit of work, a moment, and what shows who has written."""
        games, courses, passwords, puzzles = self.games, self.courses, self.passwords, self.puzzles
        decided, lots, tags = policy(self.settings), self.signer.draw_lots, self.signer.tag

        def make_context(uow: UnitOfWork, now: datetime, evidence: Evidence) -> Context:
            fixed = games, courses, passwords, decided, evidence, lots, tags
            return Context(uow, now, *fixed, draw_board=_draw_board, puzzles=puzzles)

        return make_context


def _draw_board(position: Any, seat: Seat | None) -> bytes:
    return show(position).picture(seat)


def usual_thinkers(processors: int) -> int:
    """The number of search processes on a machine, unless its operator sets it."""
    return min(_MOST_USUAL_THINKERS, max(1, processors - 1))


def make_push_sender(private_key: str, contact: str, services: Sequence[str]) -> PushSender:
    """Make the sender of notifications.

    Raises:
        BadSetting: the key cannot be used, or what speaks to push services is not installed.
    """
    try:
        from pbem.workers.push import PushSender  # what it needs is installed where it is used

        return PushSender(private_key, contact, services)
    except ModuleNotFoundError as missing:
        needed = "notifications need the package pywebpush, which is not installed: pip install 'pbem[push]'"
        raise BadSetting("PBEM_PUSH_PRIVATE_KEY", needed) from missing
    except ValueError:
        raise BadSetting("PBEM_PUSH_PRIVATE_KEY", "is no private key of P-256") from None


def make_passwords(settings: Settings) -> Argon2Passwords:
    """Make the hasher of passwords."""
    return Argon2Passwords(settings.password_memory_kib, settings.password_rounds)


def make_thinkers(parts: Parts, executor: CommandExecutor, wake: Callable[[], None]) -> Thinkers:
    """Make the processes in which computer opponents think."""
    settings, tasks, games = parts.settings, parts.tasks, parts.games
    count = usual_thinkers(os.cpu_count() or 1) if settings.thinkers is None else settings.thinkers
    retry_after = timedelta(seconds=settings.retry_letter_seconds)
    return Thinkers(
        tasks=tasks,
        executor=executor,
        thoughts=Thoughts(tasks, executor, settings.operator, retry_after),
        slots=make_slots(count, lambda: SearchProcess(games.values())),
        times=SearchTimes(settings.think_seconds, retry_after, settings.drain_seconds),
        wake=wake,
    )


def make_retention(settings: Settings, engine: Engine, composer: Composer, outbox: Outbox) -> Retention:
    """Make the worker that deletes old data and tells the operator of letters that nobody looked at."""
    mails = OperatorMails(composer, settings.operator)

    def tell(connection: Connection, letters: Sequence[int], now: datetime) -> None:
        outbox.add(connection, mails.letters_forgotten(letters, settings.keep_traces_days, now), now)

    keep_mail, keep_traces = timedelta(days=settings.keep_mail_days), timedelta(days=settings.keep_traces_days)
    return Retention(engine, keep_mail, keep_traces, tell)


_STORED = Path(bots.__file__).parent / "puzzles.jsonl"


class _StoredPuzzles(Mapping[int, Puzzle]):
    """Read when one is first asked for: they are a megabyte, and many servers are asked for none."""

    @cached_property
    def _by_number(self) -> Mapping[int, Puzzle]:
        lines = _STORED.read_text(encoding="utf-8").splitlines() if _STORED.exists() else ()
        return {each.number: each for each in (from_json(json.loads(line)) for line in lines)}

    def __getitem__(self, number: int) -> Puzzle:
        return self._by_number[number]

    def __iter__(self) -> Iterator[int]:
        return iter(self._by_number)

    def __len__(self) -> int:
        return len(self._by_number)


@cache
def stored_puzzles() -> Mapping[int, Puzzle]:
    """All puzzles that came with the program, by number; ``python -m tests.puzzles`` makes them."""
    return _StoredPuzzles()
