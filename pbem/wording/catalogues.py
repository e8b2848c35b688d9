"""The sentences of templates in other languages: catalogues of gettext, one for each, in ``templates/locale``."""

from __future__ import annotations

from functools import cached_property
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

DOMAIN = "pbem"


def catalogue_path(folder: Path, language: str) -> Path:
    """The file that translators edit; ``folder`` holds the templates."""
    return folder / "locale" / language / "LC_MESSAGES" / f"{DOMAIN}.po"


class Catalogue:
    """The sentences in one language, read when one is first needed; without a file they stay as they are."""

    def __init__(self, folder: Path, language: str) -> None:
        self._path = catalogue_path(folder, language)
        self._language = language

    @cached_property
    def _translations(self) -> NullTranslations:
        if not self._path.is_file():
            return NullTranslations()
        from babel.messages.mofile import write_mo  # loaded when somebody reads another language
        from babel.messages.pofile import read_po

        compiled = BytesIO()
        with self._path.open("rb") as file:
            write_mo(compiled, read_po(file, locale=self._language, domain=DOMAIN))
        compiled.seek(0)
        return GNUTranslations(compiled)

    def gettext(self, text: str) -> str:
        """A sentence."""
        return self._translations.gettext(text)

    def ngettext(self, singular: str, plural: str, count: int) -> str:
        """A sentence about so many of something."""
        return self._translations.ngettext(singular, plural, count)

    def pgettext(self, context: str, text: str) -> str:
        """A word whose meaning its context tells."""
        return self._translations.pgettext(context, text)

    def npgettext(self, context: str, singular: str, plural: str, count: int) -> str:
        """The same about so many of something."""
        return self._translations.npgettext(context, singular, plural, count)
