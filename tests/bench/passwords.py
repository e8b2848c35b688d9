"""The cost of a password: ``python -m tests.bench.passwords [memory KiB] [rounds]``.

In ms, with the costs of the default settings: a right one at first, the same again while it is remembered, a wrong
one, and one of somebody whom there is not. The last two must not differ.
"""

from __future__ import annotations

import sys
import time
from statistics import median

from pbem.config import Settings
from pbem.storage.passwords import Argon2Passwords, RememberedPasswords

TIMES = 20


def milliseconds(passwords: Argon2Passwords | RememberedPasswords, password: str, kept: str | None) -> float:
    """The time for deciding if a password is right."""
    began = time.perf_counter()
    passwords.verify(password, kept)
    return 1000 * (time.perf_counter() - began)


def main(memory_kib: int, rounds: int) -> None:
    """Print one line a case."""
    argon = Argon2Passwords(memory_kib, rounds)
    remembered = RememberedPasswords(argon, 600)
    kept = argon.hash("secret")
    cases = {
        "right, at first": [milliseconds(argon, "secret", kept) for _ in range(TIMES)],
        "right, remembered": [milliseconds(remembered, "secret", kept) for _ in range(TIMES)],
        "wrong": [milliseconds(remembered, "Secret", kept) for _ in range(TIMES)],
        "of nobody": [milliseconds(remembered, "secret", None) for _ in range(TIMES)],
    }
    for name, taken in cases.items():
        sys.stdout.write(f"{name:<20}{median(taken):9.3f} ms\n")


if __name__ == "__main__":
    settings = Settings()
    given = [int(word) for word in sys.argv[1:]]
    main(*(given + [settings.password_memory_kib, settings.password_rounds][len(given) :]))
