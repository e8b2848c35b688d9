"""What the pages are made from: who decides and reads for them, the wording, the address of the site."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import TypeVar
from urllib.parse import urlsplit

from pbem.domain.replies import Signer
from pbem.executor import Clerk
from pbem.web.cookies import Cookies
from pbem.web.kept import KeptPages
from pbem.wording.templates import Wording

AnswerT = TypeVar("AnswerT")


@dataclass(frozen=True)
class Site:
    """What the pages are made from."""

    clerk: Clerk
    wording: Wording
    signer: Signer
    url: str
    """What links to the site begin with."""
    clock: Callable[[], datetime]
    session_for: timedelta
    """How long a browser stays signed in."""
    bulletins: Callable[[datetime], Sequence[str]]
    """What the operator tells everybody."""
    is_out_of_order: Callable[[Exception], bool]
    """Whether what has failed is the database: nobody on the web can do anything about it but wait."""
    kept: KeptPages = field(default_factory=KeptPages)

    @property
    def is_secure(self) -> bool:
        """Whether it is reached by TLS."""
        return urlsplit(self.url).scheme == "https"

    @cached_property
    def cookies(self) -> Cookies:
        """The cookies."""
        return Cookies(secure=self.is_secure)
