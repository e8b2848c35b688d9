"""Our own addresses: ``pbem@host`` and the signed ``pbem+<token>@host``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise


@dataclass(frozen=True)
class OwnAddress:
    """The server's address, and what derives from it."""

    address: str

    @property
    def local(self) -> str:
        """What stands before the @."""
        return self.address.partition("@")[0]

    @property
    def domain(self) -> str:
        """What stands behind the @."""
        return self.address.partition("@")[2]

    def token(self, address: str) -> str | None:
        """The token in an address of ours, ``""`` in the plain one; None if the address is not ours."""
        local, _, domain = address.strip().lower().rpartition("@")
        name, plus, token = local.partition("+")
        if domain != self.domain.lower() or name != self.local.lower():
            return None
        return token if plus else ""

    @cached_property
    def _mentions(self) -> re.Pattern[str]:
        local, domain = re.escape(self.local), re.escape(self.domain)
        plus, before, after = r"(?:\+|%2B|\\\+)", r"(?:<|%3C|(?<![a-z0-9]))", r"(?:>|%3E)?"
        there = rf"(?:@|%40){domain}"
        # Bounded, or a line of "g1.g1.g1." would keep the search busy for minutes. A token is hidden
        # wherever it stands: mail programs write its address with %2B, in links, and over two lines.
        # So they do with Message-IDs.
        return re.compile(
            rf"(?:<?{local}{plus}|(?<![a-z0-9]))[a-z2-7]{{37}}(?![a-z0-9])(?:{there}{after})?"
            rf"|<?{local}{plus}[a-z0-9]{{1,64}}{there}{after}"
            rf"|{before}gc?[0-9]{{1,9}}\.[0-9]{{1,5}}\.[a-z0-9.-]{{1,100}}(?:{there})?{after}"
            rf"|{before}(?:q[mpd]?[0-9]{{1,10}}|m)\.[a-z0-9-]{{1,64}}\.[a-z2-7]{{16,27}}(?![a-z0-9])(?:{there})?{after}"
            rf"|{before}(?:gc?[0-9]{{1,9}}|q[mpd]?[0-9]{{1,10}}|m)\.[\w.-]{{1,100}}+{there}{after}"
            rf"|(?:gc?|q[mpd]?)[0-9]{{1,10}}\.[0-9]{{1,5}}\.(?:[a-z0-9-]{{1,64}}\.)?[a-z2-7]{{16,27}}(?![a-z0-9])"
            rf"|(?<![\w.-])(?:[\w-]{{1,64}}\.)?[a-z2-7]{{16,27}}{there}{after}",
            re.IGNORECASE,
        )

    def hidden_in(self, text: str) -> str:
        """A player's text without the reply addresses and Message-IDs that his mail program quoted."""
        return self._mentions.sub("", text)

    def hidden_in_lines(self, lines: Sequence[str]) -> tuple[str, ...]:
        """The same for lines, over whose ends one may go on."""
        left = list(lines)
        for number, (line, following) in enumerate(pairwise(lines)):
            cut = _folded_at(line)
            for found in self._mentions.finditer(line[:cut] + following.lstrip()):
                if found.start() < cut < found.end():
                    left[number] = left[number][: found.start()]
                    left[number + 1] = following.lstrip()[found.end() - cut :]
        return tuple(map(self.hidden_in, left))


def _folded_at(line: str) -> int:
    """Where a line ends that a mail program has broken, perhaps with the sign of quoted-printable for it."""
    return len(line.rstrip().removesuffix("="))
