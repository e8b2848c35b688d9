from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pbem.commands.internal import TakeBackMail
from pbem.domain.letters import Envelope
from pbem.domain.mails import Notice
from pbem.errors import NotAllowed
from pbem.ids import LetterId
from pbem.meters import Meters, summary
from pbem.storage.inbox import LeasedLetter
from pbem.workers.alarms import Alarms, OperatorMails
from pbem.workers.counting import LetterCounts, refusals_of
from pbem.workers.runner import Loop

NOW = datetime(2026, 3, 1, tzinfo=UTC)


class NotToday(NotAllowed):
    """It cannot be."""


def value(meters: Meters, name: str, /, **labels: str) -> float | None:
    return meters.registry.get_sample_value(f"pbem_{name}", labels)


def test_refusals_are_told_by_their_classes_also_those_that_are_gathered_in_one_mail() -> None:
    refusal = Notice("error", "a@example.org", {"error": NotToday()})
    board = Notice("board", "a@example.org")
    gathered = Notice("answers", "a@example.org", {"parts": [[board], [refusal, refusal]]})
    assert refusals_of([board]) == []
    assert refusals_of([refusal, gathered]) == ["NotToday"] * 3


def test_what_becomes_of_letters_is_counted() -> None:
    meters = Meters()
    counts = LetterCounts(meters)
    before = datetime.now(UTC) - timedelta(seconds=3)
    counts.answered(LeasedLetter(LetterId(1), Envelope("", ()), b"", before, 1, before), ["NotToday"], 2)
    counts.ignored()
    counts.failed()
    counts.shunted(1)
    counts.decided_anew()
    for permanent, is_delayed in ((True, False), (False, False), (False, True)):
        counts.returned(TakeBackMail(permanent, is_delayed=is_delayed))
    outcomes = {
        each: value(meters, "letters_handled_total", outcome=each) for each in ("answered", "ignored", "shunted")
    }
    assert outcomes == {"answered": 1, "ignored": 1, "shunted": 1}
    assert value(meters, "refusals_total", error="NotToday") == 1
    assert value(meters, "conflicts_total") == 1
    assert [value(meters, "bounces_total", kind=kind) for kind in ("permanent", "temporary", "delayed")] == [1, 1, 1]
    told = summary(meters.registry)
    assert (told["letters_handled"], told["letters_failed"], told["mails_stored"], told["bounces"]) == (3, 1, 3, 3)
    assert told["mail_seconds"] is None
    assert 3 <= (told["letter_seconds"] or 0) < 1000


def test_steps_that_fail_are_counted_by_their_loop() -> None:
    meters = Meters()

    def step() -> bool:
        loop._ending.set()
        raise ValueError

    loop = Loop("clocks", step, meters=meters)
    loop.start()
    loop.stop()
    assert value(meters, "steps_failed_total", loop="clocks") == 1


def test_an_alarm_is_shown_until_it_is_over_and_again_when_it_comes_back() -> None:
    meters, shown = Meters(), list[float | None]()
    mails = OperatorMails(None, "boss@example.org")  # type: ignore[arg-type]  # none is made
    alarms = Alarms(None, mails, timedelta(), None, meters)  # type: ignore[arg-type]
    for settle in (False, True, False):
        (alarms.settle if settle else lambda name, now: alarms.raise_(name, "why", now))("letters_not_stored", NOW)
        shown.append(value(meters, "alarm", name="letters_not_stored"))
    assert shown == [1, 0, 1]
