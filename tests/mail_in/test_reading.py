"""Reading in a child process."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.mail_in.mime import ReadLetter, read_letter_bytes
from pbem.mail_in.parts import UnreadableLetter, is_plain
from pbem.mail_in.reading import Reader, ReaderBroken
from tests.support.mail import PATIENCE
from tests.support.readers import OURS, read_oddly

LETTERS = Path(__file__).parent / "letters"
PLAIN = b"From: alice@example.org\nSubject: help\n\nplease\n"
HELP = b"From: alice@example.org\nSubject: help\nContent-Type: text/plain; charset=latin-1\n\nplease\n"
"""Not the plainest of letters: a child reads it."""


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    reader = Reader(1, 256, OURS, read_oddly)
    reader.warm_up()
    yield reader
    reader.close()


@pytest.fixture(scope="module")
def patient_reader() -> Iterator[Reader]:
    reader = Reader(10, 256, OURS)
    yield reader
    reader.close()


def children(pid: int) -> set[int]:
    """The processes that a process has started and that have not ended."""
    found = set()
    for task in Path(f"/proc/{pid}/task").iterdir():
        found |= {int(each) for each in (task / "children").read_text().split() if _is_running(int(each))}
    return found


def readers() -> set[int]:
    """The children of this process that read."""
    return {child for child in children(os.getpid()) if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()}


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until_gone(pid: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while _is_running(pid):
        assert time.monotonic() < deadline, f"process {pid} lives on"
        time.sleep(0.02)


@pytest.mark.parametrize("name", ["gmail", "bounce", "outlook_german"])
@pytest.mark.parametrize("may_be_bounce", [False, True])
def test_a_child_reads_what_would_be_read_here(reader: Reader, name: str, may_be_bounce: bool) -> None:
    raw = (LETTERS / f"{name}.eml").read_bytes()
    assert reader.read(raw, may_be_bounce=may_be_bounce) == read_letter_bytes(raw, OURS, may_be_bounce=may_be_bounce)


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        (b"sleep", "TooSlow"),
        (b"loop", "TooSlow"),
        (b"die", "ReaderDied"),
        (b"leave", "ReaderDied"),
        (b"eat", "ReaderDied"),
        (b"x" * 9000, "LongHeader"),
    ],
)
def test_a_letter_that_breaks_its_reader_is_given_up_and_the_next_is_read(
    reader: Reader, raw: bytes, error: str
) -> None:
    with pytest.raises(UnreadableLetter) as caught:
        reader.read(raw)
    assert caught.value.facts == {"error": error}
    assert reader.read(HELP).subject == "help"


def test_what_was_read_ahead_is_not_read_again(reader: Reader) -> None:
    reader.be_ready()
    first = int(reader.read(b"count").letter.subject)
    ahead = b"count it"
    reader.read_ahead(ahead)
    assert int(reader.read(ahead).letter.subject) == first + 1
    assert int(reader.read(ahead).letter.subject) == first + 2


def test_a_plain_letter_needs_no_child() -> None:
    before = readers()
    reader = Reader(1, 256, OURS)
    reader.read_ahead(PLAIN)
    assert reader.read(PLAIN) == read_letter_bytes(PLAIN, OURS)
    assert readers() == before
    reader.close()


@pytest.mark.parametrize(
    "raw",
    [
        b"Content-Type: text/html\n\nhelp",
        b"Content-Type: text/plain; charset=utf-7\n\nhelp",
        b"Content-Type: multipart/mixed; boundary=x\n\nhelp",
        b"Content-Type: text/plain; name=a.exe\n\nhelp",
        b"content-transfer-encoding: base64\n\naGVscA==",
        b"Content-Disposition: attachment\n\nhelp",
        b"Subject: =?utf-8?q?help?=\n\n",
        b"Subject: h\xc3\xa9lp\n\n",
        b"Subject: help\rX: y\n\n",
        b"Subject: help\nno field\n\n",
        b"Subject: " + b"x" * 3000 + b"\n\n",
        b"X: y\n" * 201 + b"\n",
        b"X: " + b"\n ".join([b"y" * 70] * 40) + b"\n\n",
        b"Subject: help\n\n" + b"x" * 401,
        b"Subject: help\n\n" + b"x\n" * 401,
        b"Subject: help\n\n" + (b"x" * 99 + b"\n") * 170,
        b"Subject: help\n\n\xff",
        b"Subject: help\n\n\x00",
        b"Subject: help\n\nhe\rlp",
        "Subject: help\n\n\u202ehelp".encode(),
    ],
)
def test_whatever_a_library_would_have_to_unravel_is_not_plain(raw: bytes) -> None:
    assert not is_plain(raw)


@pytest.mark.parametrize(
    "raw",
    [
        PLAIN.replace(b"\n", b"\r\n"),
        b"Subject: help\n\n" + b"x" * 400,
        "Received: from a\n\tby b\nContent-Type: text/plain; charset=UTF-8; format=flowed\n\nGrüße\n".encode(),
        b'Content-Type: text/plain;\n charset="us-ascii"\nContent-Transfer-Encoding: 7bit\n\n\ta1,b2',
    ],
)
def test_letters_as_plain_mail_programs_write_them_are_plain(raw: bytes) -> None:
    assert is_plain(raw)


_UNITS = ("a", "a1.", "(", "> ", "\u00e9", "from:@", "sent from mail ", "gc1.1.", "pbem+", "-", "On 12:30 wrote", "{a")


@pytest.mark.parametrize("unit", _UNITS)
@pytest.mark.parametrize("header", ["Subject", "From", "To", "Authentication-Results"])
def test_a_plain_letter_of_one_thing_again_and_again_takes_no_child_long(
    patient_reader: Reader, unit: str, header: str
) -> None:
    words = unit * 400
    head = f"{header}: {words[:1900] if unit.isascii() else 'x'}\n\n".encode()
    line = words.encode()[:398].decode(errors="ignore").encode() + b"\n"
    raw = (head + line * 400)[: 16_384 - len(line)].rpartition(b"\n")[0]
    assert is_plain(raw)
    read = patient_reader.read(raw, may_be_bounce=True)  # by a child that would be ended
    assert isinstance(read, ReadLetter)


@pytest.mark.parametrize("asked", [b"die", HELP])
def test_what_breaks_its_reader_ahead_is_the_only_one_that_is_given_up(reader: Reader, asked: bytes) -> None:
    reader.be_ready()
    reader.read_ahead(b"die")
    if asked == HELP:
        assert reader.read(asked) == read_letter_bytes(HELP, OURS)
    else:
        with pytest.raises(UnreadableLetter, match="ReaderDied"):
            reader.read(asked)
        assert reader.read(HELP) == read_letter_bytes(HELP, OURS)


def test_a_child_that_is_killed_while_it_waits_costs_at_most_one_attempt(reader: Reader) -> None:
    reader.read(HELP)
    for child in readers():
        os.kill(child, signal.SIGKILL)
        wait_until_gone(child)
    with contextlib.suppress(UnreadableLetter):
        reader.read(HELP)
    assert reader.read(HELP).subject == "help"


def test_a_child_that_was_killed_long_after_it_read_costs_no_attempt(reader: Reader) -> None:
    reader.read(HELP)
    for child in readers():
        os.kill(child, signal.SIGKILL)
        wait_until_gone(child)
    reader.alive_at = -1000.0
    assert reader.read(HELP).subject == "help"


def test_a_reader_is_ready_once_a_child_has_read(reader: Reader) -> None:
    with contextlib.suppress(UnreadableLetter):
        reader.read(b"die")
    reader.be_ready()
    before = readers()
    assert before
    reader.be_ready()
    assert reader.read(HELP).subject == "help"
    assert readers() == before


def test_a_reader_whose_children_all_die_is_broken_and_blames_no_letter() -> None:
    reader = Reader(1, 256, OURS, _dies)
    with pytest.raises(ReaderBroken):
        reader.be_ready()
    reader.close()


def _dies(_raw: bytes, _ours: object, *, may_be_bounce: bool) -> ReadLetter:
    os._exit(int(may_be_bounce) + 3)


def test_a_child_that_hears_of_control_c_reads_on(reader: Reader) -> None:
    reader.read(HELP)
    before = readers()
    assert before
    for child in before:
        os.kill(child, signal.SIGINT)
    assert reader.read(HELP).subject == "help"
    assert readers() == before


def test_a_reader_that_is_closed_leaves_no_child_and_reads_no_more() -> None:
    reader = Reader(2, 256, OURS)
    before = children(os.getpid())
    reader.read(HELP)
    started = children(os.getpid()) - before
    assert started
    reader.close()
    for child in started:
        wait_until_gone(child)
    with pytest.raises(ReaderBroken):
        reader.read(HELP)


PARENT = """
import sys, time
from pbem.mail_in.reading import Reader, ReaderBroken
from tests.support.readers import OURS, read_oddly
reader = Reader(2, 256, OURS, read_oddly)
reader.read(b"Subject: help\\nContent-Disposition: inline")
print("ready", flush=True)
if len(sys.argv) > 1:
    reader.read(sys.argv[1].encode())
time.sleep(60)
"""


def _parent(*arguments: str) -> subprocess.Popen[str]:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, *arguments], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    assert parent.stdout.readline() == "ready\n"
    return parent


@pytest.mark.parametrize("busy_with", [(), ("loop",), ("sleep",)])
def test_no_child_outlives_a_server_that_is_killed(busy_with: tuple[str, ...]) -> None:
    with _parent(*busy_with) as parent:
        started = children(parent.pid)
        assert started
        parent.kill()
        for child in started:
            wait_until_gone(child)


def test_a_child_imports_neither_the_server_nor_its_database() -> None:
    lines = "import sys, pbem.mail_in.reading; print(*sorted(sys.modules))"
    said = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in said.stdout.split()}
    assert not loaded & {"sqlalchemy", "jinja2", "PIL", "aiosmtpd", "starlette", "uvicorn", "click"}
    assert not loaded & {"lxml", "inscriptis", "flufl"}, "libraries for letters that few letters need"
