"""The colours of the style sheet: told apart from each other, and read on what they stand on, by everybody."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from PIL import ImageColor

from pbem.diagrams.hextile import inks
from pbem.diagrams.mamba import inks as mamba_inks
from pbem.web.context import PALETTES, THEMES, Theme
from tests.support.colours import FAR, LEAST_CONTRAST, SEEN_BY, contrast, distance
from tests.support.web_site import WebSite
from tests.web.markup import SHEET, in_theme, named, rules


def of_palette(palette: str) -> dict[str, str]:
    head = ':root, [data-palette="printed"]' if palette == "printed" else f'[data-palette="{palette}"]'
    return rules(head)


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_words_are_read_on_what_they_stand_on(theme: str) -> None:
    colours, least = named(theme), 7.0 if theme == "contrast" else 4.5
    for words, ground in (
        *((words, ground) for words in ("ink", "soft", "link", "warn") for ground in ("paper", "card")),
        ("ink", "warn-paper"),
        ("on-accent", "accent"),
        *(("label", ground) for ground in ("paper", "mat")),
    ):
        assert contrast(colours[words], colours[ground]) >= least, (words, ground)


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_outlines_that_are_to_be_found_are_seen_on_the_paper(theme: str) -> None:
    colours = named(theme)
    for line in ("space", "accent", "frame"):
        for ground in ("paper", "mat"):
            assert contrast(colours[line], colours[ground]) >= 3, (line, ground)


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_labels_of_spaces_where_nothing_fits_are_pale_and_still_read(theme: str) -> None:
    colours = named(theme)
    label, ground = (ImageColor.getrgb(colours[name]) for name in ("label", "mat"))
    (strength,) = re.findall(r"svg\.hextile a\.closed text \{ opacity: ([.\d]+) \}", SHEET)
    share = float(strength)
    parts = [round(share * over + (1 - share) * below) for over, below in zip(label, ground, strict=True)]
    assert contrast("#" + "".join(f"{part:02x}" for part in parts), colours["mat"]) >= LEAST_CONTRAST


@pytest.mark.parametrize("palette", PALETTES)
def test_tiles_of_all_palettes_differ_in_brightness_from_each_other_and_their_ground(palette: str) -> None:
    colours = of_palette(palette)
    for face in (named(theme)["face"] for theme in ("light", "dark", "contrast")):
        for ink in ("red", "blue"):
            assert contrast(colours[ink], face) >= 3
    assert contrast(colours["red"], colours["blue"]) >= 2.5


@pytest.mark.parametrize("eyes", SEEN_BY)
@pytest.mark.parametrize("palette", PALETTES)
def test_the_colour_blind_tell_tiles_and_pieces_apart(palette: str, eyes: str) -> None:
    colours = of_palette(palette)
    assert distance(colours["red"], colours["blue"], eyes) >= 2 * FAR
    for one, other in combinations("abcd", 2):
        assert distance(colours[one], colours[other], eyes) >= FAR, (one, other)


@pytest.mark.parametrize("palette", PALETTES)
def test_the_letters_on_pieces_are_read(palette: str) -> None:
    colours = of_palette(palette)
    for mark, ink in mamba_inks.INKS.items():
        assert contrast(ink.letter, colours[mark.lower()]) >= 4.5  # on a phone they are small (WCAG 2.2, 1.4.3)


GROUNDS = ("ground", "changed", "reach", "chosen")
"""The grounds on which a piece can be drawn, which are light in all themes, with all that lies on them."""


@pytest.mark.parametrize("theme", ["light", "contrast"])
@pytest.mark.parametrize("palette", PALETTES)
def test_pieces_are_seen_on_all_that_they_stand_on_by_their_outlines(palette: str, theme: str) -> None:
    pieces, colours = in_theme(of_palette(palette), theme), named(theme)
    for mark in "abcd":
        for ground in GROUNDS:
            assert contrast(pieces[f"{mark}-border"], colours[ground]) >= 3, (mark, ground)


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
@pytest.mark.parametrize("palette", PALETTES)
def test_the_letter_beside_the_board_of_a_player_who_is_out_is_read(palette: str, theme: str) -> None:
    for mark in "abcd":
        assert contrast(in_theme(of_palette(palette), theme)[f"{mark}-border"], named(theme)["paper"]) >= 4.5, mark


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_outline_of_tiles_is_seen_on_light_and_on_dark_ground(theme: str) -> None:
    colours = named(theme)
    for ground in ("mat", "card"):
        assert contrast(inks.EDGE, colours[ground]) >= LEAST_CONTRAST, ground


@pytest.mark.parametrize("theme", ["light", "contrast"])
def test_signs_of_what_can_be_chosen_are_seen_on_all_that_they_stand_on(theme: str) -> None:
    colours = named(theme)
    for ground in GROUNDS:
        for sign in ("accent", "ink"):
            assert contrast(colours[sign], colours[ground]) >= 3, (sign, ground)
    for ground in ("ground", "changed"):
        assert contrast(colours["ring"], colours[ground]) >= 3, ground
    for eyes in SEEN_BY:
        assert distance(colours["accent"], colours["ring"], eyes) >= FAR


def test_the_sheet_knows_the_inks_that_drawings_are_made_with_and_the_first_palette_is_theirs() -> None:
    printed = of_palette("printed")
    for name, ink in (("red", inks.RED), ("blue", inks.BLUE)):
        assert (printed[name], printed[f"{name}-border"]) == (ink.fill, ink.border)
        assert f'[fill="{ink.fill}"] {{ fill: var(--{name}); }}' in SHEET
        assert f'[stroke="{ink.border}"] {{ stroke: var(--{name}-border); }}' in SHEET
    for mark, piece in mamba_inks.INKS.items():
        assert printed[mark.lower()] == piece.body
        assert in_theme(printed, "light")[f"{mark.lower()}-border"] == piece.border
        assert f'[fill="{piece.body}"] {{ fill: var(--{mark.lower()}); }}' in SHEET
        for what in ("fill", "stroke"):
            assert f'[{what}="{piece.border}"] {{ {what}: var(--{mark.lower()}-border); }}' in SHEET
    for colour in (mamba_inks.GROUND, mamba_inks.CHANGED):
        assert f'[fill="{colour}"]' in SHEET


def test_the_sheet_knows_all_that_can_be_chosen() -> None:
    for palette in PALETTES:
        assert f'[data-palette="{palette}"]' in SHEET
    for theme in THEMES[1:]:
        assert f'[data-theme="{theme}"]' in SHEET


@pytest.mark.parametrize("kept", ["", "dark", "dark.", ".amber", "<b>.amber", "light.none.such", '"; Path=/'])
def test_whatever_the_cookie_says_the_page_shows_looks_that_there_are(kept: str) -> None:
    theme, _, palette = kept.partition(".")
    looks = Theme.named(theme, palette)
    assert looks.theme in THEMES
    assert looks.palette in PALETTES


def test_pages_bear_what_the_visitor_has_chosen(site: WebSite) -> None:
    page = site.guest().opens("/")
    assert not page.find("/html/@data-theme")
    answer = site.guest().asks("/", headers={"cookie": "looks=dark.amber"})
    assert '<html lang="en" data-theme="dark" data-palette="amber">' in answer.text
