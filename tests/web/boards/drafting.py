"""Boards on whose pages moves are tried and sent."""

from __future__ import annotations

from typing import Any

import httpx

from tests.support.web_site import WebClient, WebPage, WebSite


def begun(site: WebSite, game: str = "superbo", options: str = "", *, players: int = 2) -> tuple[int, list[str]]:
    """A board and who sits there, whoever begins first."""
    userids = ["alice", "bob", "carol", "dan"][:players]
    site.joins(*userids, "eve")
    number = site.begins(game, *userids, options=options)
    board = site.board(number)
    first = site.course(board).to_act
    names = [holder.userid for holder in board.seats]
    return number, [*names[first:], *names[:first]]


def sends(page: WebPage, browser: WebClient, button: str, **fields: str) -> httpx.Response:
    """Press a button of a form, with what is typed into its fields."""
    (form,) = [each for each in page.find("//form") if any(_says(one, button) for one in each.findall(".//button"))]
    (pressed,) = [each for each in form.findall(".//button") if _says(each, button)]
    hidden = {each.get("name"): each.get("value", "") for each in form.findall(".//input")}
    typed = {each.get("name"): "" for each in form.findall(".//textarea")}
    verb = {pressed.get("name"): pressed.get("value")} if pressed.get("name") else {}
    return browser.asks(form.get("action"), "POST", data={**hidden, **typed, **verb, **fields})


def _says(button: Any, words: str) -> bool:
    return " ".join(button.text_content().split()) == words
