"""Sentences that templates mark for gettext."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem import folder
from pbem.commands.verbs import VERBS

TEXTS = [each for each in sorted(folder("templates").rglob("*.txt")) if "{% trans" in each.read_text()]
_GLUED = re.compile(r"{% endtrans -?%}\n")


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_a_marked_sentence_keeps_the_line_break_behind_it(path: Path) -> None:
    assert not _GLUED.findall(path.read_text())


_TRANS = re.compile(r"{%-? trans.*?endtrans [-+]?%}|{%-? trans.*?endtrans.*?%}", re.DOTALL)
_JINJA = re.compile(r"{#.*?#}|{{.*?}}|{%.*?%}", re.DOTALL)
_MARKUP = re.compile(r"<(style|script|svg)\b.*?</\1>|<[^>]*>|&\w+;", re.DOTALL)
_TYPED = {*VERBS, "pbem", "admin", "shunted", "sign", "next", "cancel", "tiles", "commands", "options", "accept", "yes"}
_TYPED |= {
    "board",
    "boards",
    "password",
    "userid",
    "answer",
    "to",
    "off",
    "curl",
    "svg",
    "authorization",
    "bearer",
    "aria",
    "current",
    "page",
    "true",
    "studies",
    "unshare",
}
"""Words of commands, and of what is to be typed."""
_FOR_PROGRAMS = {
    "web/design.html",
    "html/mail.css",
    "html/pre.css",
    "parts/summary.txt",
    "parts/summary.html",
    "tools/commands.txt",
}
_ENGLISH = {"classic", "en", "de", "fr", "figures", "locale"}
"""Folders whose words are not marked: what old client programs read, and pages for each language."""
WORDED = [
    each
    for each in sorted(folder("templates").rglob("*.*"))
    if _ENGLISH.isdisjoint((name := each.relative_to(folder("templates"))).parts) and str(name) not in _FOR_PROGRAMS
]


@pytest.mark.parametrize("path", WORDED, ids=lambda path: str(path.relative_to(folder("templates"))))
def test_no_template_has_words_that_are_not_marked(path: Path) -> None:
    text = _JINJA.sub("", _TRANS.sub("", re.sub(r"{#.*?#}", "", path.read_text(), flags=re.DOTALL)))
    lines = [line for line in _MARKUP.sub("", text).split("\n") if not line.startswith(("Subject:", "    "))]
    if path.name in ("said.txt", "times.txt"):
        lines = [line for line in lines if line not in (" writes:", "Time used:   ", "Game ended...... ")]  # classic
    words = {word.lower() for line in lines for word in re.findall(r"[A-Za-z]{3,}", line)}
    assert words - _TYPED == set()
