"""Throws made-up letters at reader and server: ``python -m tests.fuzz.letters [seconds] [seed]``.

A letter that breaks something is written to ``.cache/fuzz`` and ends the run. With the
extra ``fuzz`` installed, atheris makes the letters and learns which reach new code.
"""

from __future__ import annotations

import hashlib
import secrets
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from tests.fuzz.instrumented import HAS_ATHERIS
from tests.fuzz.mutations import mutated, seeds
from tests.fuzz.target import Misbehaved, Target, keep_quiet

FAILED = Path(__file__).parents[2] / ".cache/fuzz"


def say(sentence: str) -> None:
    """Tell whoever started it."""
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def keep(raw: bytes) -> Path:
    """Write down a letter that broke something."""
    FAILED.mkdir(parents=True, exist_ok=True)
    path = FAILED / f"{hashlib.sha256(raw).hexdigest()[:16]}.eml"
    path.write_bytes(raw)
    return path


def by_chance(target: Target, seconds: float, seed: int) -> int:
    """Throw letters for some seconds; return how many."""
    letters, random = seeds(), Random(seed)
    until, count = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        throw(target, mutated(letters, random))
        count += 1
    return count


def throw(target: Target, raw: bytes) -> None:
    """Throw a letter; end if it breaks something."""
    try:
        target.take(raw)
    except Misbehaved as broken:
        say(f"{keep(raw)}: {broken}")
        raise


def by_atheris(target: Target, seconds: float) -> None:
    """Have atheris make the letters; it ends the process."""
    import atheris

    with tempfile.TemporaryDirectory() as folder:
        for number, raw in enumerate(seeds()):
            Path(folder, str(number)).write_bytes(raw)
        options = [f"-max_total_time={seconds:.0f}", "-max_len=65536", f"-artifact_prefix={FAILED}/", folder]
        FAILED.mkdir(parents=True, exist_ok=True)
        atheris.Setup([sys.argv[0], *options], lambda raw: throw(target, raw))
        atheris.Fuzz()


def main() -> None:
    """Read the arguments and begin."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else secrets.randbits(32)
    keep_quiet()
    with tempfile.TemporaryDirectory() as folder, Target(Path(folder)) as target:
        say(f"letters by chance for {seconds:g} seconds, seed {seed}")
        try:
            count = by_chance(target, seconds / 2 if HAS_ATHERIS else seconds, seed)
        except Misbehaved:
            sys.exit(1)
        say(f"{count} letters, none of which broke anything")
        if HAS_ATHERIS:
            by_atheris(target, seconds / 2)


if __name__ == "__main__":
    main()
