"""Addresses that write to us, and mails that came back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from pbem.ids import PlayerId

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
TIMES_A_PLAYER_IS_ASKED = 4
"""As often as an address that nobody knows."""
MOVES_TRIED_AN_HOUR = 60
"""Moves of a player that are refused, or asked back about, and answered."""
MOVES_TRIED_A_DAY = 300
"""The same in a day."""
MOVES_TRIED_BYTES = 20_000_000
"""Of the answers to them, in a day."""
TIMES_A_DOMAIN = 5
"""As many mails as to one stranger go to all strangers of a domain together."""
TIMES_A_CLIENT = 3
"""As many as to one stranger go out at the word of letters from one client, to whomever."""
STRANGERS_WAIT = timedelta(hours=23)
"""The longest that a mail to a stranger waits for its turn: less than the day for which mails are counted."""
_GMAIL = ("gmail.com", "googlemail.com")
_LONGEST_SUFFIX_LABEL = 3
"""Letters of the first label of public suffixes such as co.uk or com.br."""


def mailbox_of(address: str) -> str:
    """The mailbox that an address belongs to, as far as it shows: without what a plus adds, and Gmail's dots."""
    local, _, domain = address.strip().casefold().rpartition("@")
    local, domain = local.strip('"').partition("+")[0] or local, domain.rstrip(".")
    if domain in _GMAIL:
        local, domain = local.replace(".", ""), _GMAIL[0]
    return f"{local}@{domain}" if local else domain


def site_of(address: str) -> str:
    """The registered domain of an address: its owner has all names below it."""
    labels = address.strip().casefold().rpartition("@")[2].rstrip(".").split(".")
    is_shared = len(labels[-1]) == 2 and len(labels[-2:][0]) <= _LONGEST_SUFFIX_LABEL
    return ".".join(labels[-3 if is_shared else -2 :])


def hours_to_wait_for(now: datetime) -> Sequence[datetime]:
    """Return the beginnings of the hours of the clock in which mails to strangers may leave, the present one first."""
    present = now.replace(minute=0, second=0, microsecond=0)
    return [present + number * _HOUR for number in range(STRANGERS_WAIT // _HOUR)]


class AnswerVerdict(StrEnum):
    """The fate of the answer to a letter."""

    ANSWER = "answer"
    LAST = "last"
    """It goes out, and says that it is the last one for now."""
    SILENCE = "silence"


@dataclass(frozen=True, slots=True)
class Limits:
    """The number of answers that an address may get."""

    answers_per_day: int = 100
    answers_per_hour: int = 40
    unread_in_a_row: int = 5
    questions_per_day: int = 5
    """Of an address that has never answered; a player is asked `TIMES_A_PLAYER_IS_ASKED` as often."""
    stranger_mails_per_day: int = 20
    """To a mailbox without a confirmed address, at the word of letters that prove nothing."""
    answer_bytes_per_day: int = 5_000_000
    stranger_mails_per_hour: int = 1200
    """To all strangers together, half of them answers and half of them questions."""

    @property
    def stranger_mails_of_a_kind(self) -> int:
        """The answers, or the questions, to strangers that leave in an hour of the clock; any hour is part of two."""
        return self.stranger_mails_per_hour // 4

    def of_moves(self) -> Limits:
        """The limits for moves that a player tries to make: enough for anyone, and an end for a machine."""
        return replace(
            self,
            answers_per_day=max(self.answers_per_day, MOVES_TRIED_A_DAY),
            answers_per_hour=max(self.answers_per_hour, MOVES_TRIED_AN_HOUR),
            unread_in_a_row=max(self.unread_in_a_row, MOVES_TRIED_AN_HOUR),
            answer_bytes_per_day=max(self.answer_bytes_per_day, MOVES_TRIED_BYTES),
        )

    def of_strangers(self, times: int) -> Limits:
        """The limits for mails to mailboxes without a confirmed address."""
        most = times * self.stranger_mails_per_day
        if times > 1:
            return replace(self, answers_per_day=most, answers_per_hour=most)
        return replace(self, answers_per_day=min(most, self.answers_per_day))


@dataclass(frozen=True, slots=True)
class Correspondent:
    """An address with the recent answers and questions that it got."""

    address: str
    """With its case folded."""
    day: datetime
    """When the day began that is counted."""
    hour: datetime
    """When the hour began that is counted."""
    answers: int = 0
    """In the day, to letters that changed no board."""
    lately: int = 0
    """The same in the hour."""
    unread: int = 0
    """Letters in a row, within the day, that could not be understood or said the same as the one before."""
    questions: int = 0
    """In the day, asked of the address whoever caused them."""
    octets: int = 0
    """Of the answers that are counted, in the day."""
    said: str | None = None
    """A fingerprint of the last command; None if there may be a password in it."""

    @classmethod
    def new(cls, address: str, now: datetime) -> Correspondent:
        """A sender we have no record of."""
        return cls(address, now, now)

    def at(self, now: datetime) -> Correspondent:
        """The counts as they stand now: those of a day or an hour that is over are forgotten."""
        if now - self.day >= _DAY:
            return Correspondent(self.address, now, now, said=self.said)
        return replace(self, hour=now, lately=0, said=None) if now - self.hour >= _HOUR else self

    def played(self) -> Correspondent:
        """After a letter that has changed a board; the same letter sent again is then the first of its kind."""
        return replace(self, unread=0, said=None)

    def heard(self, said: str | None, *, understood: bool, mails: int = 1) -> Correspondent:
        """After one more letter that has changed no board.

        Args:
            said: a fingerprint of its command; None if there is none, or may be a password in it.
            understood: whether it holds a command, right or wrong.
            mails: with how many it is to be answered.
        """
        goes_on = not understood or (said is not None and said == self.said)
        unread = self.unread + 1 if goes_on else 0
        return replace(self, answers=self.answers + mails, lately=self.lately + mails, unread=unread, said=said)

    def answered(self, octets: int) -> Correspondent:
        """After answers of so many bytes have been made."""
        return replace(self, octets=self.octets + octets)

    def wrote(self, mails: int) -> Correspondent:
        """After so many mails more, whatever they say."""
        return replace(self, answers=self.answers + mails)

    def asked(self) -> Correspondent:
        """After one more question."""
        return replace(self, questions=self.questions + 1)

    def verdict(self, limits: Limits, mails: int = 1) -> AnswerVerdict:
        """The fate of the answer, of so many mails, to the letter just received."""
        if self.silenced_by(limits, mails) is not None:
            return AnswerVerdict.SILENCE
        is_last = any(count >= most for _, count, most, _ in self._counts(limits, mails))
        return AnswerVerdict.LAST if is_last else AnswerVerdict.ANSWER

    def silenced_by(self, limits: Limits, mails: int = 1) -> str | None:
        """The name of the limit that keeps the letter which was just heard from being answered; None if none does."""
        return next((name for name, count, most, last in self._counts(limits, mails) if count - last >= most), None)

    def _counts(self, limits: Limits, mails: int) -> tuple[tuple[str, int, int, int], ...]:
        """The counters: setting, current count, limit, and the share of the last letter."""
        return (
            ("answers_per_day", self.answers, limits.answers_per_day, mails),
            ("answers_per_hour", self.lately, limits.answers_per_hour, mails),
            ("unread_in_a_row", self.unread, limits.unread_in_a_row, 1),
            ("answer_bytes_per_day", self.octets, limits.answer_bytes_per_day, 0),
        )


WITHIN = timedelta(days=7)
"""The time for which a failure counts."""
MOST_TEMPORARY = 3
"""Mails within that time that did not arrive for now, after which an address is given up."""


@dataclass(frozen=True, slots=True)
class Bounce:
    """A mail that came back from an address of a player, or was refused for it."""

    player: PlayerId
    address_key: str
    at: datetime
    permanent: bool
    status: str = ""
    diagnosis: str = ""
    mail: int | None = None
    """Which mail it was, where that could be found out."""

    @property
    def why(self) -> str:
        """Why it came back, in the words of the system that sent it back; empty if it said nothing."""
        return self.diagnosis or self.status


def is_given_up(bounces: Iterable[Bounce], now: datetime) -> bool:
    """Return True if no more mail is to be sent to an address after these failures, all of them its own.

    One for good is enough, or several for now within the time that they count; a mail that is reported again and again
    while its delivery is retried counts once.
    """
    lately = [each for each in bounces if now - each.at < WITHIN]
    unknown = sum(each.mail is None for each in lately)
    known = {each.mail for each in lately if each.mail is not None}
    return any(each.permanent for each in lately) or len(known) + unknown >= MOST_TEMPORARY
