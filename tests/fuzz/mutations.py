"""Letters made by chance of letters that are there."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.mail_in.nasty import all_nasty
from tests.support.corpora import letters_of

_LETTERS = Path(__file__).parents[1] / "mail_in/letters"
_LONGEST = 262_144
"""The largest letter that a door takes, in bytes."""
_MOST_CHANGES = 8
PIECES = (
    b"\n",
    b"\r\n",
    b"\n\n",
    b"\r",
    b"\0",
    b"\xff\xfe",
    b"--b\n",
    b"--b--\n",
    b"=?utf-8?q?=0D=0A?=",
    b"=?utf-8?b?",
    b"?=",
    b"From: ",
    b"Subject: help\n",
    b"Subject: multiple\n",
    b"To: pbem@localhost\n",
    b"Content-Type: multipart/mixed; boundary=b\n",
    b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n",
    b"Content-Type: message/rfc822\n\n",
    b"Content-Type: message/delivery-status\n\n",
    b"Content-Type: text/html; charset=utf-16\n\n",
    b"Content-Type: text/plain; format=flowed; delsp=yes\n",
    b"Content-Transfer-Encoding: base64\n",
    b"Content-Transfer-Encoding: quoted-printable\n",
    b"Content-Transfer-Encoding: x-uuencode\n",
    b"Content-Disposition: attachment\n",
    b"In-Reply-To: <g101.1.1.abc@localhost>\n",
    b"<div style='display:none'>",
    b"<blockquote>",
    b"</",
    b"&#x",
    b"> ",
    b"-- \n",
    b"superbo challenge bob",
    b"superbo move 101 alice secret a1,j12",
    b"move 101 a1",
    b"resign 101",
    b"signup carol secret",
    b"show 101",
    b"plan 101\n",
    b"if c4,k5 then g2,h7 (if * then a1,b2; else k7)\n",
    b"else",
    b"then",
    b"note 101\n",
    b"study 101\n#12 {words} a1,b2 / c3,d4\n",
    b"explore superbo b3 -> c4,k5",
    b"set alice secret mail=text",
    b"\xe2\x80\xae",
    b"\xef\xb7\xba",
    b"\xcc\x81\xcc\x96",
    b"\x1b$B",
    b"(",
    b'"',
    b"\\",
    b";",
    b"@",
    b"=",
)


def seeds() -> list[bytes]:
    """The letters to begin with: ours, the nasty ones, and those that others have gathered if they are there."""
    files = [*sorted(_LETTERS.glob("*.eml")), *letters_of("cpython"), *letters_of("flufl.bounce")]
    return [each.read_bytes() for each in files] + [each.raw for each in all_nasty() if len(each.raw) < 50_000]


def mutated(letters: list[bytes], random: Random) -> bytes:
    """One of the letters, changed here and there."""
    letter = random.choice(letters)
    for _ in range(random.randint(0, _MOST_CHANGES)):
        letter = _changed(letter, letters, random)
    return letter[:_LONGEST]


def _changed(letter: bytes, letters: list[bytes], random: Random) -> bytes:
    first, last = sorted(random.randint(0, len(letter)) for _ in range(2))
    before, within, after = letter[:first], letter[first:last], letter[last:]
    match random.randrange(7):
        case 0:  # left out
            return before + after
        case 1:  # again and again
            return before + within[:2000] * random.choice((2, 3, 50)) + after
        case 2:  # of another letter
            other = random.choice(letters)
            return before + other[random.randint(0, len(other)) :]
        case 3:  # by chance
            return before + random.randbytes(random.randint(1, 20)) + after
        case 4:  # lines in another order
            lines = within[:20_000].splitlines(keepends=True)
            random.shuffle(lines)
            return before + b"".join(lines) + after
        case 5:  # one bit
            return before + bytes(each ^ (1 << random.randrange(8)) for each in within[:1]) + within[1:] + after
        case _:
            return before + random.choice(PIECES) * random.choice((1, 1, 1, 2, 300)) + after
