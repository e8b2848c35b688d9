"""Brings the catalogues up to date with the templates: ``make messages``, or ``python -m pbem.wording.messages``.

Sentences that templates have now are added, those that none has any more are dropped, and of each language it is
said how many are left to translate.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from pbem import folder
from pbem.domain.preferences import LANGUAGES
from pbem.wording.catalogues import DOMAIN, catalogue_path

_KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2), "npgettext": ((1, "c"), 2, 3)}
_OPTIONS = {
    "extensions": "jinja2.ext.do",
    "trimmed": "true",
    "trim_blocks": "true",
    "lstrip_blocks": "true",
    "silent": "false",
}
_METHODS = [("**.txt", "jinja2"), ("**.html", "jinja2")]
_FOR_TRANSLATORS = ("Translators:",)
"""Begins the comments that are shown to translators."""
_WIDTH = 110
_HEADER = """msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {forms}\\n"

"""
"""A file says itself how many plural forms it has: what libraries know of a language changes. It has no dates, which
would change with every run."""


def extract(templates: Path) -> Catalog:
    """All sentences of the templates, each with the files that have it."""
    catalogue = Catalog(project=DOMAIN, charset="utf-8")
    options = dict.fromkeys((pattern for pattern, _ in _METHODS), _OPTIONS)
    for file, _, text, comments, context in extract_from_dir(
        templates, _METHODS, options, _KEYWORDS, _FOR_TRANSLATORS, strip_comment_tags=True
    ):
        catalogue.add(text, None, [(file, 0)], auto_comments=comments, context=context)
    return catalogue


def read(templates: Path, language: str) -> Catalog:
    """The catalogue of a language as translators left it; a new one if there is none."""
    path = catalogue_path(templates, language)
    if not path.is_file():
        return Catalog(language, DOMAIN, project=DOMAIN, charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, language, DOMAIN)


def write(templates: Path, language: str, catalogue: Catalog) -> None:
    """Write a catalogue so that only what has changed differs from the file before."""
    path = catalogue_path(templates, language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(_HEADER.format(language=language, forms=catalogue.plural_forms).encode())
        write_po(
            file, catalogue, _WIDTH, omit_header=True, sort_by_file=True, include_lineno=False, ignore_obsolete=True
        )


def missing(catalogue: Catalog) -> Iterator[Message]:
    """The sentences that are not translated, or only by a guess."""
    for message in catalogue:
        said = message.string if isinstance(message.string, tuple | list) else (message.string,)
        if message.id and (message.fuzzy or not all(said)):
            yield message


def main() -> int:
    """Update every catalogue, and print a table; return how many languages lack something."""
    templates = folder("templates")
    template, lacking = extract(templates), 0
    sys.stdout.write(f"{'language':10}{'sentences':>10}{'missing':>10}{'done':>8}\n")
    for language in LANGUAGES[1:]:
        catalogue = read(templates, language)
        catalogue.update(template, no_fuzzy_matching=False)
        write(templates, language, catalogue)
        left = len(list(missing(catalogue)))
        lacking += bool(left)
        sys.stdout.write(
            f"{language:10}{len(template):10}{left:10}{100 * (len(template) - left) // max(1, len(template)):7} %\n"
        )
    return lacking


if __name__ == "__main__":
    sys.exit(bool(main()) and "--strict" in sys.argv)
