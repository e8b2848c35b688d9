"""The auditor: what must have become of each letter, told from the logs of senders and receivers alone."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tests.soak.faults import EXPLAINING, FULL, KILL, STOP
from tests.soak.logs import REFUSED, Arrived, Fate, Fault, Logs, Sent
from tests.soak.server import OPERATOR

_KEYED = re.compile(r"<(?:gc?[0-9]+\.[0-9]+|q[mpd]?[0-9]+|m)\.([0-9]+)-[0-9]+\.")
_ROOT = re.compile(r"<g([0-9]+)\.0\.[a-z2-7]{16}@")
_SLACK = 1.0
"""Seconds between what a receiver does and what it writes down, at the most."""
_AT_ONCE = 10
"""Mails that may come again for each process that was killed."""
_WENT = "the receiver hung up when it had the mail"
_SHARED_ALARM = re.compile(r"<alarm-(?:relay|mailbox)-out-of-order")
_TOLD_TOGETHER = "two processes told of the same trouble"
_TOGETHER = 10.0
"""Seconds: a process knows by then that another one has told the operator of a trouble that both see."""


@dataclass
class Findings:
    """The findings of the auditor."""

    wrong: list[str] = field(default_factory=list)
    """The faults; none if all is well."""
    repeated: Counter[str] = field(default_factory=Counter)
    """Mails that came again under the same Message-ID, by what explains it."""
    refused: int = 0
    """Letters that came to nothing since another one had what they wanted."""
    unknown_handled: int = 0
    """Letters handled of which the sender never heard that they had been accepted."""


def audit(logs: Logs) -> Findings:
    """Hold what arrived against what was sent."""
    findings = Findings(wrong=list(logs.complaints))
    kept = [each for each in logs.arrived if each.is_kept]
    _audit_repeats(kept, logs, findings)
    by_cause = _by_cause(kept, findings)
    answers: dict[str, set[str]] = defaultdict(set)
    for mail in kept:
        if mail.answers:
            answers[mail.answers].add(mail.message_id)
    known = Counter(letter.message_id for letter in logs.sent)
    findings.wrong += [f"{letter} was accepted {times} times" for letter, times in known.items() if times > 1]
    findings.wrong += [
        f"{letter} is answered and was never sent" for letter in answers.keys() - {letter.cause for letter in logs.sent}
    ]
    refused = {each.recipient for each in logs.arrived if each.reply.startswith("5")}
    causes = set()
    have = Counter(letter.rival for letter in logs.sent if letter.rival and not _is_refused(letter, answers, by_cause))
    findings.wrong += [f"{rival} was had {times} times" for rival, times in have.items() if times > 1]
    findings.wrong += [f"nobody had {each}" for each in {letter.rival for letter in logs.sent} - {*have, ""}]
    for letter in logs.sent:
        if letter.rival and _is_refused(letter, answers, by_cause):
            findings.refused += 1
            causes |= {_cause(answer) for answer in answers[letter.cause]}
            continue
        findings.wrong += _faults_of(letter, answers.get(letter.cause, set()), by_cause, refused)
        findings.unknown_handled += letter.fate == Fate.UNKNOWN and letter.cause in answers
        causes |= {_cause(answer) for answer in answers.get(letter.cause, ())}
    for cause, mails in by_cause.items():
        if cause not in causes and any(mail.recipient != OPERATOR for mail in mails):
            findings.wrong.append(f"mails of {cause} that no letter has caused: {[mail.subject for mail in mails]}")
    return findings


def _is_refused(letter: Sent, answers: Mapping[str, set[str]], by_cause: Mapping[str, Sequence[Arrived]]) -> bool:
    """Return True if only its author was told of a letter, once, and that it came to nothing."""
    answered = answers.get(letter.cause, set())
    mails = by_cause[_cause(*answered)] if len(answered) == 1 else ()
    return len(mails) == 1 and mails[0].recipient == letter.author and mails[0].subject.endswith(" Error")


def _cause(message_id: str) -> str:
    """The cause of a mail, by its Message-ID: a letter, or the beginning of a board."""
    if found := _KEYED.match(message_id):
        return f"letter {found[1]}"
    found = _ROOT.match(message_id)
    return f"board {found[1]}" if found else message_id


def _by_cause(kept: Sequence[Arrived], findings: Findings) -> dict[str, list[Arrived]]:
    """The mails that each cause has led to, one for each Message-ID."""
    by_cause: dict[str, list[Arrived]] = defaultdict(list)
    first: dict[str, Arrived] = {}
    for mail in kept:
        before = first.setdefault(mail.message_id, mail)
        if before is mail:
            by_cause[_cause(mail.message_id)].append(mail)
        elif (before.recipient, before.digest) != (mail.recipient, mail.digest):
            findings.wrong.append(f"two different mails are called {mail.message_id}: {mail.subject}")
    return by_cause


def _faults_of(letter: Sent, answers: set[str], by_cause: dict[str, list[Arrived]], refused: set[str]) -> Iterator[str]:
    """The faults in the results of a letter."""
    name = f"{letter.message_id} of {letter.author}"
    if not answers:
        is_excused = letter.fate == Fate.UNKNOWN or (letter.author.startswith(REFUSED) and letter.author in refused)
        if not is_excused:
            yield f"{name} was accepted and not answered"
        return
    if len(answers) > 1:
        yield f"{name} was answered {len(answers)} times"
        return
    mails = by_cause[_cause(*answers)]
    told = sorted(mail.recipient for mail in mails)
    if told != sorted(letter.told):
        yield f"{name} was to be told to {sorted(letter.told)} and was to {told}"
    for mail in mails:
        if mail.answers == letter.cause and not mail.subject.startswith(letter.subject):
            yield f"{name} was answered {mail.subject!r} and not {letter.subject!r}"


def _audit_repeats(kept: Sequence[Arrived], logs: Logs, findings: Findings) -> None:
    """Each mail comes once, unless something explains that it comes again."""
    last: dict[str, Arrived] = {}
    for mail in sorted(kept, key=lambda mail: mail.at):
        before = last.get(mail.message_id)
        if before is not None:
            why = _why_again(before, mail, logs.faults)
            if why is None:
                findings.wrong.append(f"{mail.message_id} came again without a reason: {mail.subject}")
            else:
                findings.repeated[why] += 1
        last[mail.message_id] = mail
    killed = sum(_killed(fault) for fault in logs.faults if fault.kind.startswith(KILL))
    if findings.repeated[KILL] > _AT_ONCE * killed:
        findings.wrong.append(f"{findings.repeated[KILL]} mails came again after {killed} were killed that deliver")


def _why_again(before: Arrived, mail: Arrived, faults: Sequence[Fault]) -> str | None:
    """The reason why a mail came again; None if there is none."""
    if not before.reply:
        return _WENT
    for kind in EXPLAINING:
        for fault in faults:
            if _is_of(fault, kind, faults) and fault.begin - _SLACK <= mail.at and fault.end + _SLACK >= before.at:
                return kind
    if _SHARED_ALARM.match(mail.message_id) and mail.at - before.at <= _TOGETHER:
        return _TOLD_TOGETHER
    return None


def _is_of(fault: Fault, kind: str, faults: Sequence[Fault]) -> bool:
    """Return True if trouble is of a kind that may make mails come again.

    A kill is only if it struck who hands mails over. A full disk is if it ends PostgreSQL, or if a process that does
    everything is told to end meanwhile: else that notes later what it could not note.
    """
    if not fault.kind.startswith(kind):
        return False
    if kind == FULL:
        ends = [each for each in faults if each.kind == STOP]
        return any(each.what or (each.begin <= fault.end and each.end >= fault.begin) for each in ends)
    return kind != KILL or bool(_killed(fault))


def _killed(fault: Fault) -> int:
    """The number of processes killed that hand mails over; one without a role does everything."""
    return sum(role in ("", "delivery") for role in fault.what.split(", "))
