"""Colours as people see them, with any colour vision: telling them apart, and reading words on them."""

from __future__ import annotations

import math

from PIL import ImageColor

LEAST_CONTRAST = 3
"""Of parts of a picture that must be told apart (WCAG 2.2, 1.4.11)."""

LEAST_OF_TEXT = 4.5
"""WCAG 2.2, 1.4.3."""

SEEN_BY = {
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopes": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopes": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopes": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""Linear red, green and blue as they are seen (Machado, Oliveira and Fernandes 2009, severity 1)."""

FAR = 20.0
"""A distance of colours (CIE 1976) that nobody overlooks; 2.3 can just be seen."""


def linear(colour: str) -> list[float]:
    """Red, green and blue by their light (WCAG 2.2, "relative luminance")."""
    parts = [value / 255 for value in ImageColor.getrgb(colour)[:3]]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted(
        sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))
        for colour in (one, other)
    )
    return (lighter + 0.05) / (darker + 0.05)


def lab(colour: str, eyes: str) -> tuple[float, float, float]:
    """A colour as somebody sees it, in CIELAB under D65."""
    light = linear(colour)
    seen = [min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in SEEN_BY[eyes]]
    to_xyz = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    white = (0.9505, 1.0, 1.089)
    x, y, z = (
        root(sum(a * b for a, b in zip(row, seen, strict=True)) / most) for row, most in zip(to_xyz, white, strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def root(share: float) -> float:
    return math.cbrt(share) if share > 216 / 24389 else (24389 / 27 * share + 16) / 116


def distance(one: str, other: str, eyes: str) -> float:
    return math.dist(lab(one, eyes), lab(other, eyes))
