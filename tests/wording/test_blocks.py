"""Plain text taken apart and made into HTML."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from pbem.wording.blocks import Columns, Heading, Items, Meanings, Paragraph, Verbatim, entries_in, read_blocks, to_html

PAGE = """\
A TITLE

Two lines
of text:
    a command

BELOW
Text at once.

  -size=n   so many tiles,
            48 unless said
  -tiebreak=smallest
            the fewer
  swap

  - one
    thing
  - another

     .--oo

    x   oo\\
"""


def test_a_page_is_taken_apart_into_its_blocks() -> None:
    assert read_blocks(PAGE) == (
        Heading("A TITLE", 1),
        Paragraph("Two lines of text:"),
        Verbatim("a command"),
        Heading("BELOW", 2),
        Paragraph("Text at once."),
        Meanings((("-size=n", "so many tiles, 48 unless said"), ("-tiebreak=smallest", "the fewer"), ("swap", ""))),
        Items(("one thing", "another")),
        Verbatim(" .--oo\n\nx   oo\\"),
    )


def test_blocks_become_html() -> None:
    terms = "<dt>-size=n</dt><dd>so many tiles, 48 unless said</dd><dt>-tiebreak=smallest</dt><dd>the fewer</dd>"
    assert to_html(read_blocks(PAGE)).split("\n", 6) == [
        "<h1>A title</h1>",
        "<p>Two lines of text:</p>",
        '<pre tabindex="0">a command</pre>',
        "<h2>Below</h2>",
        "<p>Text at once.</p>",
        f"<dl>{terms}<dt>swap</dt><dd></dd></dl>",
        '<ul><li>one thing</li><li>another</li></ul>\n<pre tabindex="0"> .--oo\n\nx   oo\\</pre>',
    ]


def test_columns_are_read_from_left_to_right() -> None:
    page = "  lambo             lambo tactics     list\n  mambo             superbo\n\n  a   b\n"
    assert read_blocks(page) == (
        Columns(("lambo", "lambo tactics", "list", "mambo", "superbo")),
        Meanings((("a", "b"),)),
    )
    html = to_html(read_blocks("  a   b c   <d>"), mark_up_cell=lambda cell: Markup("<b>{}</b>").format(cell))
    assert html == '<ul class="columns"><li><b>a</b></li><li><b>b c</b></li><li><b>&lt;d&gt;</b></li></ul>'


def test_lines_at_the_margin_that_name_something_stay_lines() -> None:
    assert read_blocks("How it is played:   help <game>\nTo challenge bob:     <game>\nchallenge bob") == (
        Meanings((("How it is played:", "help <game>"), ("To challenge bob:", "<game> challenge bob"))),
    )
    assert read_blocks("There is none.\nDid you mean:  lambo\nor mambo?") == (
        Paragraph("There is none."),
        Paragraph("Did you mean:  lambo or mambo?"),
    )


def test_what_html_takes_for_its_own_is_escaped() -> None:
    assert to_html(read_blocks("a <b> & c\n\n    <i>\n\n  <u>  </u>")).split("\n") == [
        "<p>a &lt;b&gt; &amp; c</p>",
        '<pre tabindex="0">&lt;i&gt;</pre>',
        "<dl><dt>&lt;u&gt;</dt><dd>&lt;/u&gt;</dd></dl>",
    ]


def test_a_heading_begins_as_a_sentence_behind_its_number_too() -> None:
    assert to_html(read_blocks("1. SIGN UP\n\nHere.")) == "<h1>1. Sign up</h1>\n<p>Here.</p>"


def test_a_line_in_capitals_below_another_is_no_heading() -> None:
    assert read_blocks("by\nBROWNE") == (Paragraph("by BROWNE"),)
    assert read_blocks("") == ()


@given(st.text(alphabet="aB: -.\n", max_size=60))
def test_no_word_is_lost(text: str) -> None:
    html = to_html(read_blocks(text))
    letters = sorted(each for each in text.lower() if each in "ab.")
    html = html.replace(' class="columns"', "")
    for tag in ("h1", "h2", "p", "pre", "dl", "dt", "dd", "ul", "li"):
        html = html.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
    assert sorted(each for each in html.lower() if each in "ab.") == letters


def test_commands_in_two_columns_are_told_from_what_they_do() -> None:
    listed = "list          the games\nsuperbo move <board> <move>\nhelp superbo  the rules; also:\n              mambo"
    assert entries_in(Verbatim(listed)) == (
        ("list", "the games"),
        ("superbo move <board> <move>", ""),
        ("help superbo", "the rules; also: mambo"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "list  the games",
        "list   the games\nhelp  the rules",
        "     O          X\n     alice      bob\n  1. D5      2. C9,K4",
        "list      the games\n\nhelp      the rules",
        "list      the games\nhelp      the rules\n  below",
        "move a1\nmove b2",
        "",
    ],
)
def test_anything_else_stays_as_it_is(text: str) -> None:
    assert entries_in(Verbatim(text)) == ()
