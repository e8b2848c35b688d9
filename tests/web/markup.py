"""The HTML of pages and their stylesheet, taken apart."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pbem.web
from tests.support.web_site import WebPage


def faults_of(page: WebPage) -> list[str]:
    """The faults of a page's markup."""
    faults = []
    if not page.source.startswith("<!doctype html>"):
        faults.append("no doctype")
    for what, count in (("//h1", 1), ("//main", 1), ("//head/title[string-length(.) > 4]", 1), ("/html[@lang]", 1)):
        if len(page.find(what)) != count:
            faults.append(f"{len(page.find(what))} times {what}")
    ids = Counter(page.all("//@id"))
    faults += [f"id {each} twice" for each, count in ids.items() if count > 1]
    for name in ("labelledby", "describedby", "controls"):
        named = [each for words in page.all(f"//@aria-{name}") for each in words.split()]
        faults += [f"aria-{name} {each}" for each in named if each not in ids]
    faults += [f"label for {each}" for each in page.all("//label/@for") if each not in ids]
    for what in (
        "//@style",
        "//style",
        "//script[not(@src or @type='text/html')]",
        "//*[@onclick]",
        "//img[not(@alt)]",
    ):
        if page.find(what):
            faults.append(what)
    for what in ("//th[not(@scope)]", "//table[not(ancestor::*[@role='region'][@tabindex='0'])]"):
        faults += [what] * len(page.find(what))
    faults += [f"{each.tag} without a label" for each in unlabelled(page)]
    levels = [int(each.tag[1]) for each in page.find("//h1 | //h2 | //h3 | //h4")]
    faults += [f"h{now} below h{before}" for before, now in pairwise(levels) if now > before + 1]
    return faults


def unlabelled(page: WebPage) -> list[Any]:
    """The fields of forms that nothing says the meaning of."""
    labelled = set(page.all("//label/@for"))
    fields = page.find("//*[self::input[not(@type='hidden')] or self::select or self::textarea][not(ancestor::label)]")
    return [each for each in fields if each.get("id") not in labelled and each.get("aria-label") is None]


STATIC = Path(pbem.web.__file__).parent / "static"
SHEET = "".join((STATIC / name).read_text(encoding="utf-8") for name in ("pbem.css", "palettes.css"))


def rules(selector: str) -> dict[str, str]:
    """The colours that are named in the first rule of a selector."""
    (block,) = re.findall(rf"^{re.escape(selector)} {{\n(.*?)^}}", SHEET, re.MULTILINE | re.DOTALL)[:1]
    return dict(re.findall(r"--([\w-]+): ([^;]+);", block))


def in_theme(colours: dict[str, str], theme: str) -> dict[str, str]:
    """Colours as they are in a theme: light, dark or contrast, which is light."""
    at = 1 if theme == "dark" else 0
    both = {name: re.fullmatch(r"light-dark\((.+), (.+)\)", value) for name, value in colours.items()}
    return {name: pair.groups()[at] if (pair := both[name]) else value for name, value in colours.items()}


def named(theme: str) -> dict[str, str]:
    """The colours of pages in a theme; some are others by another name."""
    colours = in_theme(rules(":root"), theme) | (rules('[data-theme="contrast"]') if theme == "contrast" else {})
    others = {name: re.fullmatch(r"var\(--([\w-]+)\)", value) for name, value in colours.items()}
    return {name: colours[other[1]] if (other := others[name]) else value for name, value in colours.items()}
