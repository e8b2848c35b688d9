"""Logs tell what became of a letter, by its number alone, and nothing that is secret."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.mail import PATIENCE, Mail, Person
from tests.support.operators import link_to_admin
from tests.support.server import RunningServer, running_server

pytestmark = pytest.mark.system

PASSWORDS = ("Tr0mbone-1", "Tr0mbone-2", "Tr0mbone-3", "Wr0ng-guess")
TOKEN = re.compile(r"(?i)[a-z2-7]{37}")


def logged(server: RunningServer) -> list[dict[str, Any]]:
    """The events of a server that writes them as JSON: every line but those for the operator who starts it."""
    return [json.loads(line) for line in server.lines if not line.startswith("pbem: ")]


def ends(server: RunningServer) -> None:
    """Stop a server, and wait for its last line."""
    server.stop()
    while server._printed.get(timeout=PATIENCE) is not None:
        pass


def about(letter: int, server: RunningServer) -> list[str]:
    """The log lines about a letter and about its mails, whose names begin with its number."""
    own = re.compile(rf"{letter}-[0-9]+")
    return [
        f"{line['event']} {line.get('mail', '')}".strip()
        for line in logged(server)
        if line.get("letter") == letter or own.fullmatch(str(line.get("mail")))
    ]


def test_a_letter_is_followed_from_the_door_to_the_relay_by_its_number_alone(tmp_path: Path) -> None:
    refused = {"bob@example.org": "550 5.1.1 No such user"}
    with running_server(tmp_path, log_format="json") as server:
        alice, _ = server.player("alice"), server.player("bob")
        at_door = [line["letter"] for line in logged(server) if line["event"] == "letter accepted"]
        answers = iter(["451 4.3.0 Busy"])
        server.postbox.answer = lambda _mail: next(answers, "250 OK")
        server.postbox.at_rcpt = refused
        alice.says("superbo challenge alice bob")
        alice.hears(), alice.hears()  # that no mail reaches bob, and the board
        ends(server)
    (letter,) = {line["letter"] for line in logged(server) if line["event"] == "letter accepted"} - set(at_door)
    told = about(letter, server)
    assert "letter accepted" in told  # the worker may be quicker than the door is to say so
    assert told.index("letter taken") < told.index("letter answered")
    (answered,) = [line for line in logged(server) if line["event"] == "letter answered" and line["letter"] == letter]
    to_bob, to_alice = sorted(answered["mails"], key=lambda mail: f"mail sent {mail}" in told)
    assert {f"mail given up {to_bob}", f"mail came back {to_bob}", f"mail sent {to_alice}"} <= set(told)
    assert f"mail deferred {to_alice}" in told


def last_link(person: Person) -> tuple[Mail, str]:
    """The link in the next mail to somebody."""
    mail = person.hears()
    (link,) = re.findall(r"https?://\S+/(?:sign-in|confirm)/\S+", mail.text)
    return mail, str(link)


def web_secrets(server: RunningServer) -> list[str]:
    """Sign up, in with a wrong and a right password, change it, make a token, use it; return what was secret."""
    zoe, found = server.person("zoe"), list[str]()
    with httpx.Client(base_url=server.web, headers={"origin": server.web}, timeout=60) as browser:
        browser.post("/sign-up", data={"userid": "zoe", "address": zoe.address, "password": PASSWORDS[0]})
        _, link = last_link(zoe)
        browser.post(link)
        found += [link.rpartition("/")[2], browser.cookies["session"]]
        form = browser.get("/settings/tokens").text
        token = re.findall(r'name="token" value="([0-9a-f]+)"', form)[0]
        page = browser.post("/settings/tokens", data={"token": token, "name": "robot"}).text
        key = page.split("<pre><code>")[1].split("<")[0]
        shown = {"authorization": f"Bearer {key}"}
        assert httpx.post(f"{server.web}/commands", content=b"games", headers=shown, timeout=60).status_code == 200
        browser.post("/settings", data={"token": token, "deed": "password", "password": PASSWORDS[1]})
        browser.post("/sign-out", data={"token": token})
        found += [token, key]
        for password in (PASSWORDS[3], PASSWORDS[1], PASSWORDS[0]):
            browser.post("/sign-in/password", data={"userid": "zoe", "password": password})
        browser.post("/sign-in", data={"who": "zoe"})
        found += [browser.cookies["session"], *browser.cookies.values()]
    for _ in server.postbox.unread_for(zoe.address):
        found += TOKEN.findall(zoe.hears().raw.decode())
    return found


def operator_secrets(server: RunningServer) -> list[str]:
    """Sign in as the operator, with a link that is none, too; return what was secret."""
    link = link_to_admin(server)
    with httpx.Client(base_url=server.web, headers={"origin": server.web}, timeout=60) as browser:
        assert browser.post(f"/admin/sign-in/{link[::-1]}").status_code == 403
        assert browser.post(f"/admin/sign-in/{link}").headers["location"] == "/admin"
        return [link, link[::-1], browser.cookies["operator"]]


def refuses_once(mail: Mail, senders: list[str]) -> str:
    """Refuse a mail once, quoting its sender, whose address holds a token; take it the next time."""
    if senders or "+" not in mail.envelope_sender:
        return "250 OK"
    senders.append(mail.envelope_sender)
    return f"451 4.3.0 Not now, <{mail.envelope_sender}>"


def test_no_line_shows_a_password_a_token_a_link_or_a_cookie(tmp_path: Path) -> None:
    with running_server(tmp_path, log_format="json", log_level="debug", web_listen="127.0.0.1:0") as server:
        secrets = web_secrets(server) + operator_secrets(server)
        alice = server.player("alice", PASSWORDS[0])
        alice.says(f"change password alice {PASSWORDS[0]} {PASSWORDS[1]}")
        alice.hears()
        alice.says(f"set alice {PASSWORDS[3]} language=fr", f"move 1 alice {PASSWORDS[1]} a1")
        alice.hears()
        alice.says("forgot alice")
        mail = next(mail for mail in iter(alice.hears, None) if mail.subject.startswith("A new"))
        senders = list[str]()
        server.postbox.answer = lambda mail: refuses_once(mail, senders)
        alice.answers(mail, f"password {PASSWORDS[2]}")
        server.postbox.wait_until(
            lambda mails: bool(senders) and senders[0] in [each.envelope_sender for each in mails]
        )
        ends(server)
    for mail in server.postbox.mails:
        secrets += TOKEN.findall(mail.raw.decode())
    assert len(set(secrets)) > 8
    assert min(map(len, secrets)) > 15
    lines = "\n".join(server.lines)
    assert [secret for secret in {*secrets, *PASSWORDS} if secret.lower() in lines.lower()] == []
    assert '"mail deferred"' in lines
    assert "+..." in lines
