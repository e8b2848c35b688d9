"""Fewer mails by one click (RFC 8058)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pbem.commands.server import Broadcast
from pbem.domain.preferences import Preferences
from pbem.domain.replies import STOPPABLE, BoardReply, ConfirmReply, QuietReply, Reply, StopReply
from pbem.ids import BoardNumber, ConfirmationId, PlayerId
from pbem.usecases.dispatcher import dispatch
from pbem.workers.runner import BroadcastRunner, DigestRunner
from tests.support.web_site import WebSite
from tests.web.visiting import answers, letters, mails, rows, sends, shown

ONE_CLICK = {"List-Unsubscribe": "One-Click"}
BEN, CAT = "ben@example.org", "cat@example.org"


@pytest.fixture
def site(chosen_url: str, tmp_path: Path) -> Iterator[WebSite]:
    """A server reached by TLS, with a board of two and a third who watches it."""
    with WebSite(chosen_url, tmp_path, web_url="https://pbem.example") as site:
        site.joins("ann", "ben", "cat")
        site.begins("superbo", "ann", "ben")
        site.says("cat", "subscribe 101")
        yield site


def path(site: WebSite, player: int, board: int = 101, expires: date | None = None) -> str:
    """The link of a player for a board."""
    quiet = QuietReply(PlayerId(player), BoardNumber(board), expires or (site.now + timedelta(days=90)).date())
    return link(site, quiet)


def stop(site: WebSite, player: int, preference: str, expires: date | None = None) -> str:
    """The link of a player that turns a preference off."""
    return link(site, StopReply(PlayerId(player), preference, expires or (site.now + timedelta(days=90)).date()))


def link(site: WebSite, reply: Reply) -> str:
    return f"/unsubscribe/{site.server.parts.signer.sign(reply)}"


def is_quiet(site: WebSite) -> list[bool]:
    return [seat.quiet for seat in site.board(101).seats]


def preferences(site: WebSite) -> list[Preferences]:
    """Those of ann, ben and cat."""
    with site.server.unit_of_work() as uow:
        return [player.preferences for player in uow.players.get_all(map(PlayerId, (1, 2, 3)))]


def watches(site: WebSite) -> int:
    ((count,),) = rows(site, "SELECT count(*) FROM watches")
    return int(count)


def test_every_mail_that_unsubscribes_by_mail_does_so_by_one_click(site: WebSite) -> None:
    answers(site, "ann@example.org", "b3", BoardReply(PlayerId(1), BoardNumber(101), 0, date(2040, 1, 1)))
    for address in ("ann@example.org", BEN, CAT):
        assert isinstance(unsubscribes(site, address), QuietReply)


def unsubscribes(site: WebSite, address: str) -> Reply | None:
    """The signed contents of both links of the last mail to an address."""
    mail = letters(site, address)[-1]
    found = re.fullmatch(
        r"<mailto:pbem\+(\w{37})@localhost\?subject=unsubscribe>, <https://pbem\.example/unsubscribe/(\w{37})>",
        str(mail["List-Unsubscribe"]),
    )
    assert found
    assert found[1] == found[2]
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    return site.server.parts.signer.read(found[1], site.now)


def test_so_does_what_players_say_to_everybody(site: WebSite) -> None:
    site.does("ann", lambda context: dispatch(Broadcast(), replace(context, comment="Who plays on Friday?")))
    assert BroadcastRunner(site.server.executor).step()
    for number, address in ((2, BEN), (3, CAT)):
        reply = unsubscribes(site, address)
        assert isinstance(reply, StopReply)
        assert (reply.player, reply.preference) == (number, "broadcast")


def test_so_does_the_daily_mail(site: WebSite) -> None:
    site.says("ben", "set digest=daily")
    site.begins("superbo", "ann", "ben")
    assert DigestRunner(site.server.executor, clock=lambda: site.now + timedelta(days=1)).step()
    reply = unsubscribes(site, BEN)
    assert isinstance(reply, StopReply)
    assert (reply.player, reply.preference) == (2, "digest")


def test_one_click_needs_no_cookie_and_quietens_the_board_of_a_player_and_no_more(site: WebSite) -> None:
    before = rows(site, "SELECT * FROM events"), mails(site, BEN)
    for _ in range(2):
        answer = site.guest().asks(path(site, 2), "POST", data=ONE_CLICK)
        assert answer.status_code == 200
        assert "set-cookie" not in answer.headers
        assert answer.headers["cache-control"] == "no-store"
        assert is_quiet(site) == [False, True]
    assert (rows(site, "SELECT * FROM events"), mails(site, BEN)) == before
    assert "subscribe 101" in shown(answer).text


def test_one_click_ends_watching(site: WebSite) -> None:
    for _ in range(2):
        shown(site.guest().asks(path(site, 3), "POST", data=ONE_CLICK))
        assert watches(site) == 0
    assert is_quiet(site) == [False, False]


@pytest.mark.parametrize(("preference", "on"), [("digest", "daily"), ("broadcast", "on")])
def test_one_click_turns_off_a_preference_of_its_player_and_no_more(site: WebSite, preference: str, on: str) -> None:
    site.says("ben", "set digest=daily legend=off language=en")
    ann, ben, cat = preferences(site)
    before = rows(site, "SELECT * FROM events"), mails(site, BEN)
    for _ in range(2):
        answer = site.guest().asks(stop(site, 2, preference), "POST", data=ONE_CLICK)
        assert answer.status_code == 200
        assert "set-cookie" not in answer.headers
        assert answer.headers["cache-control"] == "no-store"
        assert preferences(site) == [ann, ben.with_value(preference, "off"), cat]
        assert f"set {preference}={on}" in shown(answer).text
    assert (rows(site, "SELECT * FROM events"), mails(site, BEN)) == before
    assert is_quiet(site) == [False, False]
    assert watches(site) == 1


@pytest.mark.parametrize("preference", STOPPABLE)
def test_looking_turns_nothing_off_and_the_button_does(site: WebSite, preference: str) -> None:
    site.says("ben", "set digest=daily")
    before, address, guest = preferences(site), stop(site, 2, preference), site.guest()
    page = guest.opens(address)
    guest.asks(address, "HEAD")
    assert guest.asks(address, "POST", data={"List-Unsubscribe": "yes"}).status_code == 400
    assert preferences(site) == before
    assert not {"ben", "ann"} & set(page.text.split())
    fields = dict(zip(page.all("//main//input/@name"), page.all("//main//input/@value"), strict=True))
    shown(sends(guest, address, fields))
    assert preferences(site) == [before[0], before[1].with_value(preference, "off"), before[2]]


def test_a_forged_link_turns_nothing_off(site: WebSite) -> None:
    before, guest = preferences(site), site.guest()
    good, other = stop(site, 2, "broadcast"), stop(site, 3, "broadcast")
    for forged in (good[:40] + other[40:], good[:-1], stop(site, 2, "broadcast", site.now.date() - timedelta(days=1))):
        shown(guest.asks(forged, "POST", data=ONE_CLICK), 403)
    assert preferences(site) == before


@pytest.mark.parametrize("boundary", ["x", '"a b=?"', "'()+_,-./:=?"])
def test_mail_systems_send_forms_in_parts(site: WebSite, boundary: str) -> None:
    line = boundary.strip('"')
    body = f'--{line}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--{line}--\r\n'
    kind = {"content-type": f"multipart/form-data; boundary={boundary}"}
    shown(site.guest().asks(path(site, 2), "POST", content=body, headers=kind))
    assert is_quiet(site) == [False, True]


def test_it_works_from_a_page_of_anybody_and_beside_another_session(site: WebSite) -> None:
    """Mail programs in browsers send it from pages of their own."""
    shown(sends(site.browser("ann"), path(site, 2), ONE_CLICK, origin="https://mail.example.net"))
    assert is_quiet(site) == [False, True]


def test_looking_changes_nothing_and_the_button_does_it(site: WebSite) -> None:
    guest = site.guest()
    page = guest.opens(path(site, 2))
    guest.asks(path(site, 2), "HEAD")
    assert is_quiet(site) == [False, False]
    assert not {"ben", "ann"} & set(page.text.split())
    fields = dict(zip(page.all("//main//input/@name"), page.all("//main//input/@value"), strict=True))
    shown(sends(guest, path(site, 2), fields))
    assert is_quiet(site) == [False, True]


@pytest.mark.parametrize("body", [{}, {"List-Unsubscribe": "yes"}, {"resign": "101"}])
def test_a_form_that_does_not_say_one_click_changes_nothing(site: WebSite, body: dict[str, str]) -> None:
    assert site.guest().asks(path(site, 2), "POST", data=body).status_code == 400
    assert is_quiet(site) == [False, False]


def test_other_tokens_open_nothing_and_tell_nothing(site: WebSite) -> None:
    late = date(2040, 1, 1)
    others = [
        path(site, 2, expires=site.now.date() - timedelta(days=1)),
        path(site, 2)[:-1],
        path(site, 2) + "a",
        "/unsubscribe/101",
        link(site, BoardReply(PlayerId(2), BoardNumber(101), 0, late)),
        link(site, ConfirmReply(ConfirmationId(1), 7, late)),
    ]
    guest = site.guest()
    texts = {shown(guest.asks(each, method, data=ONE_CLICK), 403).text for each in others for method in ("GET", "POST")}
    assert len(texts) == 1
    assert "101" not in texts.pop()
    assert is_quiet(site) == [False, False]
    assert watches(site) == 1


def test_a_board_that_is_over_or_of_others_gives_an_answer_all_the_same(site: WebSite) -> None:
    site.says("ann", "resign 101")
    for each in (path(site, 2), path(site, 2, board=999)):
        shown(site.guest().asks(each, "POST", data=ONE_CLICK))


def test_what_is_too_large_or_no_form_is_refused(site: WebSite) -> None:
    guest, address = site.guest(), path(site, 2)
    assert guest.asks(address, "POST", data={"x": "x" * 70_000}).status_code == 413
    assert guest.asks(address, "POST", content=b"{}", headers={"content-type": "application/json"}).status_code == 415
    kind = {"content-type": "multipart/form-data"}
    assert guest.asks(address, "POST", content=b"--x", headers=kind).status_code == 415
    kind = {"content-type": "multipart/form-data; boundary=x"}
    assert guest.asks(address, "POST", content=b"--x\r\n" * 20_000, headers=kind).status_code == 413
    assert is_quiet(site) == [False, False]


def test_without_tls_no_mail_has_a_link_to_click(chosen_url: str, tmp_path: Path) -> None:
    with WebSite(chosen_url, tmp_path) as site:
        site.joins("ann", "ben")
        site.begins("superbo", "ann", "ben")
        answers(site, "ann@example.org", "b3", BoardReply(PlayerId(1), BoardNumber(101), 0, date(2040, 1, 1)))
        mail = letters(site, BEN)[-1]
        assert urlsplit(str(mail["List-Unsubscribe"]).strip("<>")).scheme == "mailto"
        assert mail["List-Unsubscribe-Post"] is None
