"""Passwords are hashed dearly, and the right ones remembered for a while."""

from __future__ import annotations

from threading import Thread, get_ident
from time import sleep
from types import SimpleNamespace

import pytest

from pbem.storage import passwords
from pbem.storage.passwords import MOST_REMEMBERED, Argon2Passwords, RememberedPasswords

PASSWORDS = Argon2Passwords(memory_kib=8, rounds=1)


@pytest.mark.parametrize("password", ["secret", "", "pässwörd", "🂡" * 40, "x" * 5000, " s p a c e "])
def test_a_password_is_recognised_and_any_other_is_not(password: str) -> None:
    kept = PASSWORDS.hash(password)
    assert PASSWORDS.verify(password, kept)
    assert not PASSWORDS.verify(password + "x", kept)
    assert not PASSWORDS.verify(password.upper() + "!", kept)


def test_case_counts_in_a_password() -> None:
    assert not PASSWORDS.verify("Secret", PASSWORDS.hash("secret"))


def test_a_hash_is_argon2id_with_the_costs_that_were_set_and_a_salt() -> None:
    one, other = (Argon2Passwords(memory_kib=64, rounds=3).hash("secret") for _ in range(2))
    assert one.startswith("$argon2id$v=19$m=64,t=3,p=1$")
    assert one != other
    assert "secret" not in one


def test_hashes_made_with_other_costs_are_recognised() -> None:
    assert PASSWORDS.verify("secret", Argon2Passwords(memory_kib=64, rounds=3).hash("secret"))


@pytest.mark.parametrize("password", ["", "secret"])
def test_without_a_hash_no_password_is_right(password: str) -> None:
    assert not PASSWORDS.verify(password, None)


def test_without_a_hash_the_work_is_done_nevertheless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the time that an answer takes would tell which userids exist."""
    argon = Argon2Passwords(memory_kib=8, rounds=1)
    verified: list[str] = []

    class Counting:
        def verify(self, kept: str, password: str) -> bool:
            verified.append(kept[:10])
            return bool(password)

    monkeypatch.setattr(argon, "_hasher", Counting())
    assert not argon.verify("secret", None)
    assert verified == ["$argon2id$"]


@pytest.mark.parametrize("broken", ["", "x", "$argon2id$v=19$m=8,t=1,p=1$", "plain secret"])
def test_a_broken_hash_fits_no_password(broken: str) -> None:
    assert not PASSWORDS.verify("secret", broken)


class Reckoning:
    """Passwords whose hash is themselves, with a note of each that was reckoned."""

    def __init__(self) -> None:
        self.reckoned: list[str] = []
        self.now = 1000.0

    def hash(self, password: str) -> str:
        return f"hash of {password}"

    def verify(self, password: str, password_hash: str | None) -> bool:
        self.reckoned.append(password)
        return self.hash(password) == password_hash

    def clock(self) -> float:
        return self.now


@pytest.fixture
def reckoning() -> Reckoning:
    return Reckoning()


def remembering(reckoning: Reckoning, seconds: int = 600) -> RememberedPasswords:
    return RememberedPasswords(reckoning, seconds, reckoning.clock)


def test_a_right_password_is_reckoned_once_until_its_time_is_over(reckoning: Reckoning) -> None:
    remembered = remembering(reckoning)
    kept = remembered.hash("secret")
    assert remembered.verify("secret", kept)
    reckoning.now += 599
    assert remembered.verify("secret", kept)
    assert reckoning.reckoned == ["secret"]
    reckoning.now += 1
    assert remembered.verify("secret", kept)
    assert reckoning.reckoned == ["secret", "secret"]


@pytest.mark.parametrize("wrong", ["Secret", "secre", "", "secret ", "hash of secret"])
def test_a_wrong_password_is_reckoned_every_time(reckoning: Reckoning, wrong: str) -> None:
    remembered = remembering(reckoning)
    assert remembered.verify("secret", "hash of secret")
    for _ in range(3):
        assert not remembered.verify(wrong, "hash of secret")
    assert reckoning.reckoned == ["secret", wrong, wrong, wrong]


def test_a_player_without_a_password_costs_as_much_every_time(reckoning: Reckoning) -> None:
    remembered = remembering(reckoning)
    assert not any(remembered.verify("secret", None) for _ in range(3))
    assert reckoning.reckoned == ["secret"] * 3


def test_another_password_ends_the_old_one_at_once(reckoning: Reckoning) -> None:
    remembered = remembering(reckoning)
    assert remembered.verify("old", "hash of old")
    assert not remembered.verify("old", "hash of new")
    assert remembered.verify("new", "hash of new")
    assert not remembered.verify("old", "hash of new")


def test_the_same_password_with_a_new_salt_is_reckoned_again() -> None:
    remembered = RememberedPasswords(PASSWORDS, 600)
    for kept in (remembered.hash("secret"), remembered.hash("secret")):
        assert remembered.verify("secret", kept)
        assert remembered.verify("secret", kept)
        assert not remembered.verify("secre", kept)


def test_nothing_is_remembered_where_that_is_set(reckoning: Reckoning) -> None:
    remembered = remembering(reckoning, 0)
    assert all(remembered.verify("secret", "hash of secret") for _ in range(3))
    assert reckoning.reckoned == ["secret"] * 3


def test_what_was_verified_longest_ago_makes_room(reckoning: Reckoning, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "MOST_REMEMBERED", 3)
    remembered = remembering(reckoning)
    for password in "abcd":
        assert remembered.verify(password, f"hash of {password}")
    reckoning.reckoned.clear()
    assert all(remembered.verify(password, f"hash of {password}") for password in "dcba")
    assert reckoning.reckoned == ["a"]
    assert MOST_REMEMBERED > 1000


def test_neither_passwords_nor_plain_digests_of_them_are_kept(reckoning: Reckoning) -> None:
    one, other = remembering(reckoning), remembering(reckoning)
    for remembered in (one, other):
        assert remembered.verify("secret", "hash of secret")
    assert b"secret" not in b"".join(one._ends)
    assert not one._ends.keys() & other._ends.keys()


def test_several_threads_ask_at_once(reckoning: Reckoning) -> None:
    remembered = remembering(reckoning, 1)
    said: list[bool] = []

    def ask(name: str) -> None:
        for each in range(200):
            reckoning.now += 0.01
            said.append(remembered.verify(f"{name}{each % 20}", f"hash of {name}{each % 20}"))

    threads = [Thread(target=ask, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(said) == 600
    assert all(said)


@pytest.mark.parametrize("password", ["p\u00e4ssw\u00f6rd", "\ud800", "x" * 5000])
def test_any_password_can_be_remembered(reckoning: Reckoning, password: str) -> None:
    remembered = remembering(reckoning)
    assert remembered.verify(password, f"hash of {password}")
    assert remembered.verify(password, f"hash of {password}")
    assert reckoning.reckoned == [password]


def test_few_hashes_are_reckoned_at_a_time_and_all_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes as much memory as is set: sixty at once would take sixty times that."""
    slow, right = Argon2Passwords(memory_kib=8, rounds=1), PASSWORDS.hash("secret")
    verify, now, most, answers = slow._hasher.verify, set[int](), list[int](), list[bool]()

    def counted(password_hash: str, password: str) -> bool:
        now.add(get_ident())
        most.append(len(now))
        sleep(0.01)
        now.discard(get_ident())
        return verify(password_hash, password)

    monkeypatch.setattr(slow, "_hasher", SimpleNamespace(verify=counted))
    threads = [Thread(target=lambda: answers.append(slow.verify("secret", right))) for _ in range(20)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert answers == [True] * 20
    assert max(most) == passwords.MOST_AT_ONCE
