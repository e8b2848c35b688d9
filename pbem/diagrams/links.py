"""What can be clicked in a drawing on a page."""

from __future__ import annotations

from dataclasses import dataclass
from xml.sax.saxutils import quoteattr


@dataclass(frozen=True, slots=True)
class Link:
    """Where a click leads, and what that is called."""

    href: str
    words: str
    """For those who do not see the drawing."""
    kind: str = "place"
    """A class for the style sheet."""
    step: str = ""
    """The step that it plays, as it is typed; empty if it plays none."""

    def around(self, drawn: str) -> str:
        """The link with what is drawn in it, as markup."""
        step = f" data-step={quoteattr(self.step)}" if self.step else ""
        return (
            f'<a href={quoteattr(self.href)} aria-label={quoteattr(self.words)} class="{self.kind}"{step}>{drawn}</a>'
        )
