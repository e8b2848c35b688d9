"""Our own addresses: ``pbem@host`` and the signed ``pbem+<token>@host``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property


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
        # Bounded, or a line of "g1.g1.g1." would keep the search busy for minutes. A token is hidden
        # wherever it stands: mail programs write its address with %2B, in links, and over two lines.
        return re.compile(
            rf"(<?{local}(\+|%2B|\\\+)|(?<![a-z0-9]))[a-z2-7]{{37}}(?![a-z0-9])((@|%40){domain}>?)?"
            rf"|<?{local}\+[a-z0-9]{{1,64}}@{domain}>?|<?g[0-9]{{1,9}}\.[\w.-]{{1,100}}@{domain}>?",
            re.IGNORECASE,
        )

    def hidden_in(self, text: str) -> str:
        """A player's text without the reply addresses and Message-IDs that his mail program quoted."""
        return self._mentions.sub("", text)
