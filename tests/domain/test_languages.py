"""The language that a header wants."""

from __future__ import annotations

import pytest

from pbem.domain.preferences import preferred_language


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        ("de", "de"),
        ("de-AT, en;q=0.8", "de"),
        ("en-GB,en;q=0.9,fr;q=0.2", "en"),
        ("it, fr-CH;q=0.4, en;q=0.3", "fr"),
        ("it", None),
        ("", None),
        ("de;q=0", None),
        ("de;q=x, fr", "fr"),
        ("*", None),
    ],
)
def test_the_most_wanted_of_our_languages_is_found(wanted: str, language: str | None) -> None:
    assert preferred_language(wanted) == language
