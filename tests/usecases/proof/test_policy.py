"""Permissions by the evidence that a letter shows of its sender: the whole table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from typing import Any

import pytest
from sqlalchemy import Engine

from pbem.domain.correspondents import Limits
from pbem.domain.letters import Evidence, Letter
from pbem.domain.mails import Notice
from pbem.domain.players import Standing
from pbem.domain.replies import BoardMail, BoardReply, BounceReply, ConfirmReply, OtherMail, Signer
from pbem.errors import PlayerError
from pbem.games.hextile.superbo import SUPERBO
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.engine import make_engine
from pbem.storage.passwords import Argon2Passwords
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases import authentication
from pbem.usecases import signup as checks
from pbem.usecases import wrong_passwords as attempts
from pbem.usecases.answering import answer_letter
from pbem.usecases.context import Context, GameStateCache, Policy
from pbem.usecases.wrong_passwords import TooManyAttempts as TooMany
from tests.storage.stock import AT, board, player

GAMES = {"superbo": SUPERBO}
PASSWORDS = Argon2Passwords(8, 1)
SIGNER = Signer(["a key of sixteen letters"])
LATER = date(2026, 6, 1)
B101 = BoardNumber(101)
ALICE = replace(player(1, "alice"), password_hash=PASSWORDS.hash("secret"))
BOB, TWIN = player(2, "bob"), player(3, "twin", "twins@example.org")
OTHER_TWIN = player(4, "other", "twins@example.org")
MAIL = "alice@example.org"


class Decision(StrEnum):
    DONE = "done"
    ASKED = "asked"
    """The From address is asked if the command was meant."""
    CONSENT = "consent"
    """The addresses on record are asked if the account is to be changed."""
    REFUSED = "refused"


DONE, ASKED, CONSENT, REFUSED = Decision
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
WANTED: dict[tuple[str, ...], dict[tuple[str, ...], Decision]] = {
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

ACCOUNT_LINES = [(line, wanted) for line, wanted in WITH_PASSWORD.items() if wanted is CONSENT]


@dataclass
class PolicyFixture:
    """A server that answers letters, and forgets nothing between them."""

    engine: Engine
    policy: Policy = Policy("pbem@localhost", wrong_passwords_per_userid=3, wrong_passwords_per_domain=5)
    now = AT + timedelta(hours=1)
    courses = GameStateCache(GAMES)

    def work(self) -> UnitOfWork:
        return UnitOfWork(self.engine, self.courses)

    def answer(self, line: str, evidence: Evidence, body: str = "Nice move.") -> list[Notice]:
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
def fixture(chosen_url: str) -> Iterator[PolicyFixture]:
    engine = make_engine(chosen_url)
    fixture = PolicyFixture(engine)
    with fixture.work() as uow:
        for each in (ALICE, BOB, TWIN, OTHER_TWIN):
            uow.players.save(each)
        for number in (101, 102):
            uow.boards.save(board(number, ALICE, BOB))
        uow.boards.save(board(103, TWIN, OTHER_TWIN))
        uow.commit()
    yield fixture
    engine.dispose()


def outcome(notices: list[Notice]) -> Decision:
    for notice in notices:
        if notice.name in _NAMES:
            return _NAMES[notice.name]
        if isinstance(notice.facts.get("error"), authentication.UnknownSender):
            return REFUSED
    assert not any("error" in notice.facts for notice in notices), [notice.facts.get("error") for notice in notices]
    return DONE


@pytest.mark.parametrize(("shown", "line", "wanted"), TABLE)
def test_the_evidence_decides_what_is_done(fixture: PolicyFixture, shown: str, line: str, wanted: Decision) -> None:
    assert outcome(fixture.answer(line, EVIDENCE[shown])) is wanted


def test_words_below_a_seek_that_nobody_meets_are_not_lost_in_silence(fixture: PolicyFixture) -> None:
    (told,) = fixture.answer("superbo seek", EVIDENCE["dmarc"])
    assert told.name == "seeks"
    assert told.facts["comment_dropped"]


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
    fixture: PolicyFixture, line: str, shown: str, dropped: bool
) -> None:
    told = {
        notice.to.userid: notice.facts
        for notice in fixture.answer(line, EVIDENCE[shown])
        if not isinstance(notice.to, str)
    }
    words = None if dropped else {"writer": "alice", "text": "Nice move."}
    assert (told["alice"]["comment"], told["bob"]["comment"]) == (words, words)
    assert bool(told["alice"].get("comment_dropped")) is dropped
    assert not told["bob"].get("comment_dropped")
    with fixture.work() as uow:
        kept = [
            each.text for number in (101, 102, 103, 104) for each in uow.remarks.of_board(BoardNumber(number), 9, ())
        ]
    assert kept == ([] if dropped else ["Nice move."])


@pytest.mark.parametrize(("line", "wanted"), WITH_PASSWORD.items())
@pytest.mark.parametrize("shown", ["from", "stranger", "double headers"])
def test_a_password_does_everything_from_anywhere_but_change_the_account(
    fixture: PolicyFixture, shown: str, line: str, wanted: Decision
) -> None:
    assert outcome(fixture.answer(line, EVIDENCE[shown])) is wanted


def test_the_first_mail_of_a_board_proves_for_as_long_as_any_other(fixture: PolicyFixture) -> None:
    fixture.now = AT + timedelta(days=91)
    assert outcome(fixture.answer("move 101 b3", EVIDENCE["first answer"])) is ASKED


def test_two_players_of_a_board_at_one_address_are_not_told_apart_by_a_message_id(fixture: PolicyFixture) -> None:
    shown = Evidence("twins@example.org", "twins@example.org", answered_mail=BoardMail(BoardNumber(103), 0, LATER))
    assert isinstance(fixture.refusal("move 103 b3", shown), authentication.SeveralSenders)


def test_a_message_id_of_another_event_is_overtaken(fixture: PolicyFixture) -> None:
    fixture.answer("move 101 b3", EVIDENCE["reply"])
    shown = Evidence("bob@example.org", "bob@example.org", answered_mail=BoardMail(B101, 0, LATER))
    assert type(fixture.refusal("c4,k5", shown)).__name__ == "Overtaken"
    shown = replace(shown, answered_mail=BoardMail(B101, 1, LATER))
    assert outcome(fixture.answer("", shown, "c4,k5")) is DONE


@pytest.mark.parametrize(
    ("standing", "refusal"),
    [(Standing.FROZEN, authentication.AccountFrozen), (Standing.BANNED, authentication.AccountBanned)],
)
def test_who_is_frozen_or_banned_may_look_on_and_nothing_else(
    fixture: PolicyFixture, standing: Standing, refusal: type[PlayerError]
) -> None:
    fixture.stands(standing)
    fixture.policy = replace(fixture.policy, limits=Limits(answers_per_hour=100))
    for line in (*THIS_BOARD, *PROOF, *KNOWN, *ACCOUNT):
        if line in ("set", "data"):
            assert outcome(fixture.answer(line, EVIDENCE["dmarc"])) is DONE
        elif (line, standing) == ("signoff", Standing.BANNED):
            assert outcome(fixture.answer(line, EVIDENCE["dmarc"])) is CONSENT
        else:
            assert isinstance(fixture.refusal(line, EVIDENCE["dmarc"]), refusal)
    assert isinstance(fixture.refusal("move 101 alice secret b3", EVIDENCE["stranger"]), refusal)
    assert isinstance(fixture.refusal("move 101 b3", EVIDENCE["reply"]), refusal)
    for line in ANYBODY:
        if line.startswith("signup") and standing is Standing.BANNED:
            assert isinstance(fixture.refusal(line, EVIDENCE["from"]), checks.AddressBarred)
        else:
            assert outcome(fixture.answer(line, EVIDENCE["from"])) is DONE
    challenge = Evidence("bob@example.org", "bob@example.org")
    assert "PlayerNotAvailable" in repr(fixture.refusal("superbo challenge alice", challenge).facts)


def test_the_address_of_whose_account_is_closed_is_for_nobody_and_no_account_but_that_one_is_called_closed(
    fixture: PolicyFixture,
) -> None:
    fixture.stands(Standing.BANNED)
    bob = Evidence("bob@example.org", "bob@example.org", authenticated=True)
    for line, shown in ((f"add {MAIL}", bob), (f"signup carol secret {MAIL}", EVIDENCE["stranger"])):
        refused = fixture.refusal(line, shown)
        assert isinstance(refused, checks.AddressBarred)
        assert refused.facts["barred"] == MAIL


def test_who_is_banned_is_not_meant_where_he_shares_an_address(fixture: PolicyFixture) -> None:
    shown = Evidence("twins@example.org", "twins@example.org", authenticated=True)
    assert isinstance(fixture.refusal("set legend=off", shown), authentication.SeveralSenders)
    with fixture.work() as uow:
        uow.players.save(replace(uow.players.get(OTHER_TWIN.id), standing=Standing.BANNED))
        uow.commit()
    assert outcome(fixture.answer("set legend=off", shown)) is DONE
    assert outcome(fixture.answer("superbo challenge bob", shown)) is DONE
    with fixture.work() as uow:
        uow.players.save(replace(uow.players.get(TWIN.id), standing=Standing.BANNED))
        uow.commit()
    assert isinstance(fixture.refusal("set legend=off", shown), authentication.SeveralSenders)


def guesses(fixture: PolicyFixture, shown: Evidence, times: int = 3) -> None:
    for number in range(times):
        assert isinstance(fixture.refusal(f"set alice guess{number}", shown), authentication.WrongPassword)


def sent(notices: list[Notice]) -> list[str]:
    """The notices and their recipients, without decoys."""
    return [
        f"{notice.name.removeprefix('board_')} {notice.to if isinstance(notice.to, str) else notice.to.userid}"
        for notice in notices
        if not notice.is_decoy
    ]


def test_after_so_many_wrong_passwords_none_from_an_unfamiliar_source_does_anything_for_an_hour(
    fixture: PolicyFixture,
) -> None:
    for each in ("192.0.2.1", "198.51.100.1", None):  # however many there are
        shown = replace(EVIDENCE["stranger"], client=each)
        assert isinstance(fixture.refusal("move 101 alice wrong b3", shown), authentication.WrongPassword)
        fixture.now += timedelta(minutes=1)
    notices = fixture.answer("move 101 alice wrong b3", replace(EVIDENCE["stranger"], client="192.0.2.9"))
    assert sent(notices) == ["error m@evil.example", "passwords_tried alice"]
    refused = notices[0].facts["error"]
    assert isinstance(refused, attempts.TooManyAttempts)
    assert refused.facts["minutes"] == 57
    assert outcome(fixture.answer("move 101 b3", EVIDENCE["reply"])) is DONE
    fixture.now += timedelta(minutes=57)
    assert outcome(fixture.answer("chat 101 alice secret", EVIDENCE["stranger"])) is DONE


@pytest.mark.parametrize("sender", ["stranger", "from"])
def test_a_right_password_among_too_many_wrong_ones_leads_to_a_question_that_carries_its_command_out(
    fixture: PolicyFixture, sender: str
) -> None:
    guesses(fixture, EVIDENCE["stranger"])
    shown = replace(EVIDENCE[sender], client="192.0.2.1", authenticated=False)
    notices = fixture.answer("move 101 alice secret b3", shown, "Hello!")
    said = [] if sender == "from" else ["error m@evil.example"]
    assert sent(notices) == [*said, "passwords_tried alice", "confirm_unheard alice"]
    question = notices[-1]
    assert isinstance(question.reply, ConfirmReply)
    assert (question.facts["line"], question.facts["comment"]) == ("move 101 b3", "Hello!")
    answer = Evidence(MAIL, MAIL, reply=question.reply, client="192.0.2.1")
    assert sent(fixture.answer("", answer, "yes")) == ["board bob", "board alice"]
    resigned = fixture.answer("resign 102 alice secret", shown)
    assert "declined bob" in sent(resigned), "where the answer came from is familiar"


def test_it_is_asked_once_an_hour_whatever_others_have_had_asked_and_the_sender_cannot_tell(
    fixture: PolicyFixture,
) -> None:
    guesses(fixture, EVIDENCE["stranger"])
    for number in range(30):  # questions that a From address is enough for
        fixture.answer(f"move 101 {'abcdefgh'[number % 8]}{number + 1}", EVIDENCE["from"])
        fixture.answer(f"move 101 alice wrong{number} b3", EVIDENCE["from"])
    assert sent(fixture.answer("move 101 alice secret b3", EVIDENCE["from"])) == ["confirm_unheard alice"]
    late = fixture.answer("move 102 alice secret b3", EVIDENCE["from"])
    assert sent(late) == ["error alice@example.org"], "her counts are her own"
    right, wrong, unknown = (
        fixture.answer(line, replace(EVIDENCE["stranger"], client="192.0.2.1"))
        for line in ("move 101 alice secret b3", "move 101 alice wrong b3", "move 101 nobody wrong b3")
    )
    assert sent(right) == sent(wrong) == ["error m@evil.example"]
    assert str(right[0].facts["error"].facts) == str(wrong[0].facts["error"].facts)  # type: ignore[attr-defined]
    assert isinstance(unknown[0].facts["error"], authentication.WrongPassword)
    fixture.now += timedelta(minutes=59)
    guesses_again = fixture.answer("chat 101 alice guess", EVIDENCE["stranger"])
    assert type(guesses_again[0].facts["error"]) is attempts.TooManyAttempts
    fixture.now += timedelta(minutes=2)
    guesses(fixture, EVIDENCE["stranger"])
    assert sent(fixture.answer("move 101 alice secret b3", EVIDENCE["from"])) == ["confirm_unheard alice"]


def test_whoever_is_unknown_gets_the_same_answer_and_as_many_mails_are_made(fixture: PolicyFixture) -> None:
    stranger = Evidence("m@evil.example", "m@evil.example")
    for userid in ("alice", "nobody"):
        for _ in range(3):
            fixture.refusal(f"set {userid} wrong", stranger)
    known, unknown = (fixture.answer(f"set {userid} wrong", stranger) for userid in ("alice", "nobody"))
    assert [notice.name for notice in known] == [notice.name for notice in unknown]
    assert sent(unknown) == ["error m@evil.example"]


@pytest.mark.parametrize(
    ("home", "other"),
    [
        ({"client": "192.0.2.1"}, {"client": "192.0.2.2"}),
        ({"client": "2001:db8:1:1::1"}, {"client": "2001:db8:1:2::1"}),
        ({"client": "192.0.2.1"}, {"client": "127.0.0.1"}),
        ({"client": "192.0.2.1"}, {}),
        ({"authenticated": True, "client": "192.0.2.1"}, {"client": "192.0.2.1"}),
    ],
)
def test_where_a_right_password_came_from_is_familiar_and_counts_by_itself(
    fixture: PolicyFixture, home: dict[str, Any], other: dict[str, Any]
) -> None:
    at_work = Evidence("alice@work.example", "alice@work.example", **home)
    assert outcome(fixture.answer("set alice secret legend=off", at_work)) is DONE
    forged = Evidence(MAIL, MAIL, **other)
    guesses(fixture, forged)
    assert isinstance(fixture.answer("set alice guess legend=off", forged)[0].facts["error"], attempts.TooManyAttempts)
    assert "board alice" in sent(fixture.answer("move 101 alice secret b3", at_work))
    guesses(fixture, at_work)
    assert sent(fixture.answer("move 102 alice secret b3", at_work))[-1] == "confirm_unheard alice"


@pytest.mark.parametrize("client", [None, "127.0.0.1", "127.9.9.9", "::1"])
def test_what_comes_from_an_mta_that_tells_no_client_is_never_familiar(
    fixture: PolicyFixture, client: str | None
) -> None:
    shown = replace(EVIDENCE["from"], client=client)
    assert outcome(fixture.answer("set alice secret legend=off", shown)) is DONE
    guesses(fixture, shown)
    assert sent(fixture.answer("move 101 alice secret b3", shown))[-1] == "confirm_unheard alice"


def test_where_she_has_answered_a_mail_of_ours_from_is_familiar_too(fixture: PolicyFixture) -> None:
    assert outcome(fixture.answer("move 101 b3", replace(EVIDENCE["reply"], client="192.0.2.1"))) is DONE
    guesses(fixture, EVIDENCE["stranger"])
    shown = replace(EVIDENCE["from"], client="192.0.2.1")
    assert "board alice" in sent(fixture.answer("move 102 alice secret b3", shown))


def test_a_letter_to_her_reply_address_counts_by_itself(fixture: PolicyFixture) -> None:
    guesses(fixture, EVIDENCE["stranger"])
    assert "board alice" in sent(fixture.answer("move 102 alice secret b3", EVIDENCE["reply"]))


def test_a_host_or_domain_has_its_own_limit_and_unknown_userids_count_alike(fixture: PolicyFixture) -> None:
    stranger = replace(EVIDENCE["stranger"], authenticated=False, client="192.0.2.1")
    for number in range(5):
        assert isinstance(fixture.refusal(f"set nobody{number} wrong", stranger), authentication.WrongPassword)
    assert isinstance(fixture.refusal("set nobody9 wrong", replace(stranger, answer_to="x@y.example")), TooMany)
    asked = sent(fixture.answer("move 101 alice secret b3", stranger))
    assert asked == ["error m@evil.example", "confirm_unheard alice"]
    elsewhere = replace(stranger, client="192.0.2.2")
    assert isinstance(fixture.refusal("set nobody9 wrong", elsewhere), authentication.WrongPassword)
    assert outcome(fixture.answer("set alice secret legend=off", elsewhere)) is DONE


def test_of_a_domain_that_our_mta_vouches_for_each_address_counts_and_all_of_them_together(
    fixture: PolicyFixture,
) -> None:
    def from_(number: int) -> Evidence:
        address = f"m{number}@evil.example"
        return Evidence(address, address, authenticated=True, client=f"192.0.2.{number}")

    for number in range(20):
        assert isinstance(fixture.refusal(f"set nobody{number} wrong", from_(number)), authentication.WrongPassword)
    assert isinstance(fixture.refusal("set nobody99 wrong", from_(99)), TooMany)


def test_who_is_proven_without_a_password_is_not_kept_out_by_guesses_at_it(fixture: PolicyFixture) -> None:
    guesses(fixture, EVIDENCE["stranger"])
    assert outcome(fixture.answer("set alice secret", EVIDENCE["dmarc"])) is DONE
    assert isinstance(fixture.refusal("set bob guess", EVIDENCE["dmarc"]), authentication.WrongPassword)
    assert outcome(fixture.answer("move 101 alice secret b3", EVIDENCE["reply"])) is DONE


@pytest.mark.parametrize(("line", "wanted"), [("superbo seek alice secret 1", DONE), *ACCOUNT_LINES])
def test_what_wants_no_proof_or_is_asked_about_anyhow_is_heard_as_if_it_said_no_password(
    fixture: PolicyFixture, line: str, wanted: Decision
) -> None:
    guesses(fixture, EVIDENCE["stranger"])
    assert outcome(fixture.answer(line, EVIDENCE["from"])) is wanted


def test_one_letter_has_so_many_passwords_looked_at_and_each_once(
    fixture: PolicyFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at = list[str]()

    def verify(self: Argon2Passwords, password: str, password_hash: str | None) -> bool:
        looked_at.append(password)
        return real(self, password, password_hash)

    real = Argon2Passwords.verify
    monkeypatch.setattr(Argon2Passwords, "verify", verify)
    lines = "\n".join(f"set nobody{number} guess" for number in range(20))
    assert _leaves(fixture, lines) == [authentication.WrongPassword] * 3 + [attempts.TooManyPasswords] * 17
    assert len(looked_at) == 3
    looked_at.clear()
    lines = "\n".join(["set alice wrong"] * 10 + ["set alice secret", "set ALICE secret"] * 5)
    assert _leaves(fixture, lines) == [authentication.WrongPassword] * 10 + [None] * 10
    assert looked_at == ["wrong", "secret"]


def _leaves(fixture: PolicyFixture, lines: str) -> list[type | None]:
    """The refusals that the lines of a letter lead to."""
    (answers,) = fixture.answer("multiple", EVIDENCE["from"], lines)
    parts = answers.facts["parts"]
    assert isinstance(parts, list)
    errors = [part[0].facts.get("error") for part in parts]
    return [None if error is None else type(error) for error in errors]


def test_userids_and_sources_of_passwords_are_kept_as_fingerprints_only(fixture: PolicyFixture) -> None:
    shown = replace(EVIDENCE["stranger"], client="192.0.2.1", authenticated=False)
    fixture.answer("set alice wrong", shown)
    fixture.answer("set alice secret", shown)
    with fixture.engine.connect() as connection:
        wrong = connection.exec_driver_sql("SELECT userid, source FROM wrong_passwords").all()
        right = connection.exec_driver_sql("SELECT player_id, source FROM familiar_sources").all()
    assert wrong == [(SIGNER.tag("userid", "alice"), SIGNER.tag("source", "192.0.2.1"))]
    assert right == [(1, SIGNER.tag("source", "192.0.2.1"))]


def test_a_forgotten_password_leads_to_as_many_mails_whoever_is_named_and_to_no_more_than_three_a_day(
    fixture: PolicyFixture,
) -> None:
    stranger = EVIDENCE["stranger"]
    known = [fixture.answer("forgot alice", stranger) for _ in range(4)]
    unknown = fixture.answer("forgot nobody", stranger)
    for notices in (*known, unknown):
        assert [notice.name for notice in notices] == ["forgot_asked", "reset_password"]
    assert [notices[1].is_decoy for notices in (*known, unknown)] == [False, False, False, True, True]
    fixture.now += timedelta(days=1, minutes=1)
    assert not fixture.answer("forgot alice", stranger)[1].is_decoy
