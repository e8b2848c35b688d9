from __future__ import annotations

from pbem.wording.help import Explained, HelpPage, explained

TEXT = """GO: OPTIONS

    go challenge -size=9 bob

  -handicap=n   stones that Black
                begins with

THE BOARD

  (no word)     19 lines
  -size=n       n lines

More of this kind:

  Buchholz      no option
  help go       a page

  mail=text     text alone
"""


def test_options_and_settings_are_found_with_their_headings() -> None:
    assert explained(HelpPage("go options", TEXT, "", "en")) == (
        Explained("-handicap=n", "stones that Black begins with", ""),
        Explained("(no word)", "19 lines", "the board"),
        Explained("-size=n", "n lines", "the board"),
        Explained("mail=text", "text alone", "the board"),
    )


def test_the_name_of_a_word_has_neither_dash_nor_value() -> None:
    assert [Explained(word, "", "").name for word in ("-size=n", "-swap", "mail=text")] == ["size", "swap", "mail"]
