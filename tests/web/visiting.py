"""Forms filled in by a browser, and the mails that come of it."""

from __future__ import annotations

import re
from dataclasses import replace
from email.message import EmailMessage
from email.utils import parseaddr
from typing import Any
from urllib.parse import urljoin

import httpx
from sqlalchemy import select, text

from pbem.domain.letters import Evidence, Letter
from pbem.domain.mails import Notice
from pbem.domain.players import ROBOTS
from pbem.domain.replies import Reply
from pbem.storage.models import MailRow
from pbem.usecases.answering import answer_letter
from pbem.usecases.context import Context
from pbem.usecases.opponents import open_robots
from tests.storage.stock import MINUTE
from tests.support.parsing import parsed
from tests.support.web_site import URL, WebClient, WebPage, WebSite

SAME_ORIGIN = {"origin": URL}


def fills(browser: WebClient, address: str, action: str, /, **fields: str) -> httpx.Response:
    """Open a page, fill in the form that is sent to ``action``, and send it as browsers do."""
    page = browser.opens(address)
    forms = [each for each in page.find("//form") if urljoin(address, each.get("action") or address) == action]
    assert forms, f"no form of {address} goes to {action}"
    hidden = {each.get("name"): each.get("value") for each in forms[0].xpath('.//input[@type="hidden"]')}
    return sends(browser, action, {**hidden, **fields})


def sends(browser: WebClient, action: str, fields: dict[str, str], **headers: str) -> httpx.Response:
    """Send a form as it is, from a page of the server unless the headers say otherwise."""
    return browser.asks(action, "POST", data=fields, headers={**SAME_ORIGIN, **headers})


def types(browser: WebClient, line: str, words: str = "") -> httpx.Response:
    """Type a command on its page."""
    return fills(browser, "/command", "/command", line=line, words=words)


def token(browser: WebClient) -> str:
    """The token in the forms of this browser's session."""
    (found,) = set(browser.opens("/settings").all('//input[@name="token"]/@value'))
    return found


def who(browser: WebClient) -> str | None:
    """The userid of the player who is signed in, by the pages; None if nobody is."""
    names = browser.opens("/sign-up").all('//nav[@aria-label="You"]//summary')
    return names[0] if names else None


def rows(site: WebSite, query: str) -> list[tuple[Any, ...]]:
    """The rows that a query finds in the database."""
    with site.server.unit_of_work() as uow:
        return [tuple(row) for row in uow.players._connect().execute(text(query))]


def secret_of(browser: WebClient) -> str:
    """The secret that the browser keeps of its session."""
    return browser.client.cookies["session"]


def with_cookie(site: WebSite, secret: str) -> WebClient:
    """A browser that says it has a session."""
    return site.browser_with({"session": secret})


def with_robots(site: WebSite) -> None:
    """Open the computer opponents."""
    with site.server.unit_of_work() as uow:
        assert open_robots(uow, site.now) == [*ROBOTS]
        uow.commit()


def has_password(site: WebSite, userid: str, password: str) -> None:
    """Give a player a password."""

    def decide(context: Context) -> list[Notice]:
        password_hash = context.passwords.hash(password)
        context.uow.players.save(replace(context.speaker.known, password_hash=password_hash))
        return []

    site.does(userid, decide)


def letters(site: WebSite, address: str) -> list[EmailMessage]:
    """All that has been mailed to an address so far."""
    query = select(MailRow.raw).where(MailRow.recipient == address).order_by(MailRow.id)
    with site.server.unit_of_work() as uow:
        raws = list(uow.players._connect().scalars(query))
    return [parsed(raw) for raw in raws if raw]


def mails(site: WebSite, address: str) -> list[tuple[str, str]]:
    """Subject and text of all that has been mailed to an address so far."""
    found = []
    for message in letters(site, address):
        body = message.get_body(("plain",))
        assert body is not None
        found.append((str(message["Subject"]), str(body.get_content())))
    return found


def answers(site: WebSite, address: str, words: str, proof: Reply | None = None) -> list[Notice]:
    """Answer the last mail to an address by mail, or one that proves something else."""
    if proof is None:
        to = parseaddr(str(letters(site, address)[-1]["Reply-To"]))[1]
        proof = site.server.parts.signer.read(to.partition("+")[2].partition("@")[0], site.now)
        assert proof is not None
    site.now += MINUTE
    evidence, letter = Evidence(address, address, reply=proof), Letter("Re: your mail", (words,))
    key = f"answer-{site.now:%Y%m%d%H%M%S}"
    return site.server.executor.retry_on_conflict(
        lambda context: {key: answer_letter(letter, context)}, clock=lambda: site.now, evidence=evidence
    )


def proof_of(site: WebSite, link: str) -> Reply | None:
    """The reply that the word at the end of a link proves."""
    return site.server.parts.signer.read(link.rpartition("/")[2], site.now)


def link_in(mail: tuple[str, str]) -> str:
    """The link in a mail, without the server's own address."""
    (link,) = re.findall(rf"{URL}(\S+)", mail[1])
    return str(link)


def shown(answer: httpx.Response, status: int = 200) -> WebPage:
    """The page that came with this status."""
    assert answer.status_code == status, (answer.status_code, answer.text[:500])
    return WebPage(answer)


ALICE = "alice@example.org"


def newest_link(site: WebSite, address: str = ALICE) -> str:
    return link_in(mails(site, address)[-1])


def presses(browser: WebClient, link: str) -> httpx.Response:
    """Open a link and press its button."""
    path = link.partition("?")[0]
    page = browser.opens(link)
    fields = dict(zip(page.all("//main//input/@name"), page.all("//main//input/@value"), strict=True))
    return sends(browser, path, fields)


def score(won: int, lost: int, tied: int) -> str:
    """The games won, lost and tied, as tables have them."""
    return "\N{EN DASH}".join(map(str, (won, lost, tied)))
