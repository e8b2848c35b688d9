"""The cost of reading a letter, here and in a child process: ``python -m tests.bench.letters``.

Printed are the median and the slowest of the letters of mail programs, each read many
times, and of the nasty ones; and how long a child takes to be there and to be replaced.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.mime import read_letter_bytes
from pbem.mail_in.parts import UnreadableLetter
from pbem.mail_in.reading import Reader
from tests.mail_in.nasty import all_nasty
from tests.support.readers import read_oddly

LETTERS = Path(__file__).parents[1] / "mail_in/letters"
OURS = OwnAddress("pbem@localhost")
TIMES = 50


def here(raw: bytes) -> None:
    """Read a letter in this process."""
    read_letter_bytes(raw, OURS, may_be_bounce=False)


def milliseconds(read: Callable[[bytes], object], raw: bytes) -> float:
    """The time that reading a letter takes."""
    began = time.perf_counter()
    with contextlib.suppress(UnreadableLetter):
        read(raw)
    return 1000 * (time.perf_counter() - began)


def measure(what: str, letters: dict[str, bytes], read: Callable[[bytes], object], times: int = 1) -> None:
    """Print the median and the slowest of some letters."""
    taken = {name: median(milliseconds(read, raw) for _ in range(times)) for name, raw in letters.items()}
    slowest = max(taken, key=lambda name: taken[name])
    print(f"{what:<48}{median(taken.values()):8.2f} ms   slowest {taken[slowest]:8.2f} ms ({slowest})")


def measure_starts() -> None:
    """Print what it takes until a letter is read by a child that was not there, or had to be ended."""
    reader = Reader(1, 512, OURS, read_oddly)
    print(f"{'until the first letter is read':<48}{milliseconds(reader.read, b'Subject: help'):8.0f} ms")
    print(f"{'until a letter is given up after a second':<48}{milliseconds(reader.read, b'sleep'):8.0f} ms")
    print(f"{'until the next is read':<48}{milliseconds(reader.read, b'Subject: help'):8.0f} ms")
    reader.close()


def main() -> None:
    """Measure everything."""
    ordinary = {path.stem: path.read_bytes() for path in sorted(LETTERS.glob("*.eml"))}
    nasty = {each.name: each.raw for each in all_nasty()}
    reader = Reader(20, 512, OURS)
    reader.read(b"Subject: help")
    measure("letters of mail programs, here", ordinary, here, TIMES)
    measure("letters of mail programs, in a child", ordinary, reader.read, TIMES)
    measure(f"{len(nasty)} nasty letters, here", nasty, here)
    measure(f"{len(nasty)} nasty letters, in a child", nasty, reader.read)
    reader.close()
    measure_starts()


if __name__ == "__main__":
    main()
