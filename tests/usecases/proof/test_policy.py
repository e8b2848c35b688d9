"""Who may do what, by the evidence that a letter shows of its sender: the whole table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

import pytest

from pbem.domain.correspondents import Limits
from pbem.domain.letters import Evidence, Letter
from pbem.domain.message_ids import BoardMail, OtherMail
from pbem.domain.players import Standing
from pbem.domain.replies import BoardReply, BounceReply, Signer
from pbem.errors import PlayerError
from pbem.games.hextile.superbo import SUPERBO
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.engine import make_engine
from pbem.storage.passwords import Argon2Passwords
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.accounts import checks
from pbem.usecases.answering import answer_letter
from pbem.usecases.context import Context, Policy
from pbem.usecases.courses import Courses
from pbem.usecases.proof import attempts, speakers
from tests.storage.stock import AT, board, player

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine

    from pbem.domain.notices import Notice

GAMES = {"superbo": SUPERBO}
PASSWORDS = Argon2Passwords(8, 1)
SIGNER = Signer(["a key of sixteen letters"])
LATER = date(2026, 6, 1)
B101 = BoardNumber(101)
ALICE = replace(player(1, "alice"), password_hash=PASSWORDS.hash("secret"))
BOB, TWIN = player(2, "bob"), player(3, "twin", "twins@example.org")
OTHER_TWIN = player(4, "other", "twins@example.org")
MAIL = "alice@example.org"


class Outcome(StrEnum):
    DONE = "done"
    ASKED = "asked"
    """Whether the command was meant, at the From address."""
    CONSENT = "consent"
    """Whether the account is to be changed, at the addresses on record."""
    REFUSED = "refused"


DONE, ASKED, CONSENT, REFUSED = Outcome
_NAMES = {"confirm_command": ASKED, "confirm_change": CONSENT}

EVIDENCE = {
    "reply": Evidence(MAIL, MAIL, reply=BoardReply(PlayerId(1), B101, 0, LATER)),
    "answer": Evidence(MAIL, MAIL, answered_mail=BoardMail(B101, 0, LATER)),
    "first answer": Evidence(MAIL, MAIL, answered_mail=BoardMail(B101, 0, None)),
    "dmarc": Evidence(MAIL, MAIL, authenticated=True),
    "from": Evidence(MAIL, MAIL),
    "from, stale reply": Evidence(MAIL, MAIL, stale_reply=True),
    "from, other mail": Evidence(MAIL, MAIL, answered_mail=OtherMail()),
    "from, bounce": Evidence(MAIL, MAIL, reply=BounceReply(PlayerId(1), 1, LATER)),
    "stolen reply": Evidence("m@evil.example", "m@evil.example", reply=BoardReply(PlayerId(1), B101, 0, LATER)),
    "stolen answer": Evidence("m@evil.example", "m@evil.example", answered_mail=BoardMail(B101, 0, LATER)),
    "stranger": Evidence("m@evil.example", "m@evil.example", authenticated=True),
    "double headers": Evidence("m@evil.example"),
}
ON_BOARD = ("reply", "answer", "first answer")
CLAIMED = ("from", "from, stale reply", "from, other mail", "from, bounce")
NOBODY = ("stolen reply", "stolen answer", "stranger", "double headers")

THIS_BOARD = ("move 101 b3", "queue 101 b3", "submit 101 b3", "resign 101", "report bob 101")
PROOF = ("move 102 b3", "queue 102 b3", "submit 102 b3", "resign 102", "set legend=off", "data", "report bob 102")
KNOWN = ("superbo challenge bob", "set")
ACCOUNT = (
    "signoff",
    "add a@example.net",
    "change password better",
    "change address a@example.net",
)
ANYBODY = (
    "help",
    "list",
    "show 101",
    "games",
    "superbo show alice",
    "export 101",
    "preview 101 b3",
    "superbo preview new b3",
    "signup carol secret carol@example.net",
    "forgot alice",
)
WANTED: dict[tuple[str, ...], dict[tuple[str, ...], Outcome]] = {
    ON_BOARD: {THIS_BOARD: DONE, PROOF: ASKED, KNOWN: DONE, ACCOUNT: CONSENT, ANYBODY: DONE},
    ("dmarc",): {THIS_BOARD: DONE, PROOF: DONE, KNOWN: DONE, ACCOUNT: CONSENT, ANYBODY: DONE},
    CLAIMED: {THIS_BOARD: ASKED, PROOF: ASKED, KNOWN: DONE, ACCOUNT: CONSENT, ANYBODY: DONE},
    NOBODY: {THIS_BOARD: REFUSED, PROOF: REFUSED, KNOWN: REFUSED, ACCOUNT: REFUSED, ANYBODY: DONE},
}
TABLE = [
    (shown, line, outcome)
    for kinds, row in WANTED.items()
    for shown in kinds
    for lines, outcome in row.items()
    for line in lines
]
WITH_PASSWORD = {
    "move 101 alice secret b3": DONE,
    "resign 101 alice secret": DONE,
    "move 102 alice secret b3": DONE,
    "set alice secret legend=off": DONE,
    "set alice secret": DONE,
    "data alice secret": DONE,
    "report alice secret bob 101": DONE,
    "signoff alice secret": CONSENT,
    "delete alice secret": CONSENT,
    "add alice secret a@example.net": CONSENT,
    "change password alice secret better": CONSENT,
    "change address alice secret a@example.net": CONSENT,
}


@dataclass
class Office:
    """Where letters are answered, and nothing is forgotten between them."""

    engine: Engine
    policy: Policy = Policy("pbem@localhost", wrong_passwords_per_userid=3, wrong_passwords_per_domain=5)
    now = AT + timedelta(hours=1)
    courses = Courses(GAMES)

    def work(self) -> UnitOfWork:
        return UnitOfWork(self.engine, self.courses.of)

    def answer(self, line: str, evidence: Evidence, body: str = "He cheats.") -> list[Notice]:
        with self.work() as uow:
            context = Context(
                uow, self.now, GAMES, self.courses, PASSWORDS, self.policy, evidence, SIGNER.draw_lots, SIGNER.tag
            )
            notices = answer_letter(Letter(line, tuple(body.split("\n"))), context)
            uow.commit()
        return notices

    def refusal(self, line: str, evidence: Evidence, body: str = "") -> PlayerError:
        error = self.answer(line, evidence, body)[0].facts["error"]
        assert isinstance(error, PlayerError)
        return error

    def stands(self, standing: Standing) -> None:
        with self.work() as uow:
            uow.players.save(replace(uow.players.get(ALICE.id), standing=standing))
            uow.commit()


@pytest.fixture
def office(chosen_url: str) -> Iterator[Office]:
    engine = make_engine(chosen_url)
    office = Office(engine)
    with office.work() as uow:
        for each in (ALICE, BOB, TWIN, OTHER_TWIN):
            uow.players.save(each)
        for number in (101, 102):
            uow.boards.save(board(number, ALICE, BOB))
        uow.boards.save(board(103, TWIN, OTHER_TWIN))
        uow.commit()
    yield office
    engine.dispose()


def outcome(notices: list[Notice]) -> Outcome:
    for notice in notices:
        if notice.name in _NAMES:
            return _NAMES[notice.name]
        if isinstance(notice.facts.get("error"), speakers.UnknownSender):
            return REFUSED
    assert not any("error" in notice.facts for notice in notices), [notice.facts.get("error") for notice in notices]
    return DONE


@pytest.mark.parametrize(("shown", "line", "wanted"), TABLE)
def test_the_evidence_decides_what_is_done(office: Office, shown: str, line: str, wanted: Outcome) -> None:
    assert outcome(office.answer(line, EVIDENCE[shown])) is wanted


@pytest.mark.parametrize(
    ("line", "shown", "dropped"),
    [
        ("superbo challenge bob", "from", True),
        ("superbo challenge bob", "dmarc", False),
        ("superbo challenge bob", "reply", False),
        ("superbo chat 101", "reply", False),
        ("move 101 b3", "reply", False),
    ],
)
def test_nobody_is_told_words_that_a_from_address_alone_vouches_for(
    office: Office, line: str, shown: str, dropped: bool
) -> None:
    told = {
        notice.to.userid: notice.facts
        for notice in office.answer(line, EVIDENCE[shown])
        if not isinstance(notice.to, str)
    }
    words = None if dropped else {"writer": "alice", "text": "He cheats."}
    assert (told["alice"]["comment"], told["bob"]["comment"]) == (words, words)
    assert bool(told["alice"].get("comment_dropped")) is dropped
    assert not told["bob"].get("comment_dropped")
    with office.work() as uow:
        kept = [
            each.text for number in (101, 102, 103, 104) for each in uow.remarks.of_board(BoardNumber(number), 9, ())
        ]
    assert kept == ([] if dropped else ["He cheats."])


@pytest.mark.parametrize(("line", "wanted"), WITH_PASSWORD.items())
@pytest.mark.parametrize("shown", ["from", "stranger", "double headers"])
def test_a_password_does_everything_from_anywhere_but_change_the_account(
    office: Office, shown: str, line: str, wanted: Outcome
) -> None:
    assert outcome(office.answer(line, EVIDENCE[shown])) is wanted


def test_the_first_mail_of_a_board_proves_for_as_long_as_any_other(office: Office) -> None:
    office.now = AT + timedelta(days=91)
    assert outcome(office.answer("move 101 b3", EVIDENCE["first answer"])) is ASKED


def test_two_players_of_a_board_at_one_address_are_not_told_apart_by_a_message_id(office: Office) -> None:
    shown = Evidence("twins@example.org", "twins@example.org", answered_mail=BoardMail(BoardNumber(103), 0, LATER))
    assert isinstance(office.refusal("move 103 b3", shown), speakers.SeveralSenders)


def test_a_message_id_of_another_event_is_overtaken(office: Office) -> None:
    office.answer("move 101 b3", EVIDENCE["reply"])
    shown = Evidence("bob@example.org", "bob@example.org", answered_mail=BoardMail(B101, 0, LATER))
    assert type(office.refusal("c4,k5", shown)).__name__ == "Overtaken"
    shown = replace(shown, answered_mail=BoardMail(B101, 1, LATER))
    assert outcome(office.answer("", shown, "c4,k5")) is DONE


@pytest.mark.parametrize(
    ("standing", "refusal"), [(Standing.FROZEN, speakers.AccountFrozen), (Standing.BANNED, speakers.AccountBanned)]
)
def test_who_is_frozen_or_banned_may_look_on_and_nothing_else(
    office: Office, standing: Standing, refusal: type[PlayerError]
) -> None:
    office.stands(standing)
    office.policy = replace(office.policy, limits=Limits(answers_per_hour=100))
    for line in (*THIS_BOARD, *PROOF, *KNOWN, *ACCOUNT):
        if line in ("set", "data"):
            assert outcome(office.answer(line, EVIDENCE["dmarc"])) is DONE
        elif (line, standing) == ("signoff", Standing.BANNED):
            assert outcome(office.answer(line, EVIDENCE["dmarc"])) is CONSENT
        else:
            assert isinstance(office.refusal(line, EVIDENCE["dmarc"]), refusal)
    assert isinstance(office.refusal("move 101 alice secret b3", EVIDENCE["stranger"]), refusal)
    assert isinstance(office.refusal("move 101 b3", EVIDENCE["reply"]), refusal)
    for line in ANYBODY:
        if line.startswith("signup") and standing is Standing.BANNED:
            assert isinstance(office.refusal(line, EVIDENCE["from"]), checks.AddressBarred)
        else:
            assert outcome(office.answer(line, EVIDENCE["from"])) is DONE
    challenge = Evidence("bob@example.org", "bob@example.org")
    assert "PlayerNotAvailable" in repr(office.refusal("superbo challenge alice", challenge).facts)


def test_the_address_of_whose_account_is_closed_is_for_nobody_and_no_account_but_that_one_is_called_closed(
    office: Office,
) -> None:
    office.stands(Standing.BANNED)
    bob = Evidence("bob@example.org", "bob@example.org", authenticated=True)
    for line, shown in ((f"add {MAIL}", bob), (f"signup carol secret {MAIL}", EVIDENCE["stranger"])):
        refused = office.refusal(line, shown)
        assert isinstance(refused, checks.AddressBarred)
        assert refused.facts["barred"] == MAIL


def test_who_is_banned_is_not_meant_where_he_shares_an_address(office: Office) -> None:
    shown = Evidence("twins@example.org", "twins@example.org", authenticated=True)
    assert isinstance(office.refusal("set legend=off", shown), speakers.SeveralSenders)
    with office.work() as uow:
        uow.players.save(replace(uow.players.get(OTHER_TWIN.id), standing=Standing.BANNED))
        uow.commit()
    assert outcome(office.answer("set legend=off", shown)) is DONE
    assert outcome(office.answer("superbo challenge bob", shown)) is DONE
    with office.work() as uow:
        uow.players.save(replace(uow.players.get(TWIN.id), standing=Standing.BANNED))
        uow.commit()
    assert isinstance(office.refusal("set legend=off", shown), speakers.SeveralSenders)


def test_so_many_wrong_passwords_and_none_is_looked_at_for_an_hour(office: Office) -> None:
    stranger = EVIDENCE["stranger"]
    for _ in range(3):
        assert isinstance(office.refusal("set alice wrong", stranger), speakers.WrongPassword)
        office.now += timedelta(minutes=1)
    refused = office.refusal("set alice secret", EVIDENCE["from"])
    assert isinstance(refused, attempts.TooManyAttempts)
    assert refused.facts["minutes"] == 57
    assert outcome(office.answer("move 101 b3", EVIDENCE["reply"])) is DONE
    office.now += timedelta(minutes=57)
    assert outcome(office.answer("set alice secret", EVIDENCE["from"])) is DONE


def test_a_domain_has_its_own_limit_and_unknown_userids_count_alike(office: Office) -> None:
    stranger = EVIDENCE["stranger"]
    for number in range(5):
        assert isinstance(office.refusal(f"set nobody{number} wrong", stranger), speakers.WrongPassword)
    assert isinstance(office.refusal("set alice secret", stranger), attempts.TooManyAttempts)
    assert isinstance(
        office.refusal("set nobody9 wrong", replace(stranger, answer_to="n@EVIL.example")), attempts.TooManyAttempts
    )
    assert outcome(office.answer("set alice secret", EVIDENCE["from"])) is DONE


def test_what_others_of_his_domain_have_tried_does_not_keep_a_player_out(office: Office) -> None:
    neighbour = Evidence("mallory@example.org", "mallory@example.org")
    for number in range(5):
        office.answer(f"set nobody{number} wrong", neighbour)
    assert isinstance(office.refusal("set alice secret", neighbour), attempts.TooManyAttempts)
    assert outcome(office.answer("set alice secret", EVIDENCE["from"])) is DONE


def test_who_is_proven_without_a_password_is_not_kept_out_by_guesses_at_it(office: Office) -> None:
    for _ in range(3):
        office.answer("set alice wrong", EVIDENCE["stranger"])
    assert isinstance(office.refusal("move 101 alice secret b3", EVIDENCE["from"]), attempts.TooManyAttempts)
    assert outcome(office.answer("set alice secret", EVIDENCE["dmarc"])) is DONE
    assert isinstance(office.refusal("set bob guess", EVIDENCE["dmarc"]), speakers.WrongPassword)
    assert outcome(office.answer("move 101 alice secret b3", EVIDENCE["reply"])) is DONE


def test_twenty_lines_are_twenty_attempts(office: Office) -> None:
    lines = "\n".join(f"set alice guess{number}" for number in range(19))
    (answers,) = office.answer("multiple", EVIDENCE["from"], f"{lines}\nset alice secret")
    parts = answers.facts["parts"]
    assert isinstance(parts, list)
    leaves = [type(part[0].facts["error"]) for part in parts]
    assert leaves == [speakers.WrongPassword] * 3 + [attempts.TooManyAttempts] * 17


def test_userids_and_domains_of_wrong_passwords_are_kept_as_fingerprints_only(office: Office) -> None:
    office.answer("set alice wrong", EVIDENCE["stranger"])
    with office.engine.connect() as connection:
        (row,) = connection.exec_driver_sql("SELECT userid, domain FROM wrong_passwords").all()
    assert row == (SIGNER.tag("userid", "alice"), SIGNER.tag("domain", "evil.example"))


def test_a_forgotten_password_leads_to_as_many_mails_whoever_is_named_and_to_no_more_than_three_a_day(
    office: Office,
) -> None:
    stranger = EVIDENCE["stranger"]
    known = [office.answer("forgot alice", stranger) for _ in range(4)]
    unknown = office.answer("forgot nobody", stranger)
    for notices in (*known, unknown):
        assert [notice.name for notice in notices] == ["forgot_asked", "reset_password"]
    assert [notices[1].is_decoy for notices in (*known, unknown)] == [False, False, False, True, True]
    office.now += timedelta(days=1, minutes=1)
    assert not office.answer("forgot alice", stranger)[1].is_decoy
