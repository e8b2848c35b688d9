from __future__ import annotations

import pytest

from pbem.storage.passwords import Argon2Passwords

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
    passwords = Argon2Passwords(memory_kib=8, rounds=1)
    verified: list[str] = []

    class Counting:
        def verify(self, kept: str, password: str) -> bool:
            verified.append(kept[:10])
            return bool(password)

    monkeypatch.setattr(passwords, "_hasher", Counting())
    assert not passwords.verify("secret", None)
    assert verified == ["$argon2id$"]


@pytest.mark.parametrize("broken", ["", "x", "$argon2id$v=19$m=8,t=1,p=1$", "plain secret"])
def test_a_broken_hash_fits_no_password(broken: str) -> None:
    assert not PASSWORDS.verify("secret", broken)
