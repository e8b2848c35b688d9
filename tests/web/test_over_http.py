"""The pages as the server serves them, with real sockets and real mails."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

import pytest

from tests.support.server import RunningServer, running_server

URL = "http://pbem.example"
KIND = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder: Path = tmp_path_factory.mktemp("server")
    with running_server(folder, web_listen="127.0.0.1:0", web_url=URL, log_level="info") as server:
        yield server


class Answer(NamedTuple):
    """An answer."""

    status: int
    headers: Message
    text: str


def asks(server: RunningServer, method: str, path: str, body: str = "", **headers: str) -> Answer:
    connection = http.client.HTTPConnection(urlsplit(server.web).netloc, timeout=60)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body or None, {"Origin": URL, **({"Content-Type": KIND} if body else {}), **sent})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return Answer(answer.status, answer.headers, text)


def sends(server: RunningServer, path: str, fields: dict[str, str], **headers: str) -> Answer:
    return asks(server, "POST", path, urlencode(fields), **headers)


def cookie_of(answer: Answer) -> str:
    return str(answer.headers["set-cookie"]).partition(";")[0]


def path_in(text: str) -> str:
    (link,) = re.findall(rf"{URL}(\S+)", text)
    return str(link)


def test_from_signing_up_to_a_board_and_back_again(server: RunningServer) -> None:
    server.player("bob")
    zoe = server.person("zoe")
    assert sends(server, "/sign-up", {"userid": "zoe", "address": "zoe@example.org"}).status == 200
    link = path_in(zoe.hears().text)
    assert asks(server, "GET", link).status == 200
    answer = asks(server, "POST", link)
    cookie = cookie_of(answer)
    assert (answer.status, answer.headers["location"]) == (303, "/")
    assert zoe.hears().subject == "Welcome to pbem, zoe"
    form = asks(server, "GET", "/challenge?to=bob", Cookie=cookie).text
    (token,) = set(re.findall(r'name="token" value="([0-9a-f]+)"', form))
    fields = {"token": token, "game": "superbo", "to": "bob", "words": "Have fun!"}
    begun = str(sends(server, "/challenge", fields, Cookie=cookie).headers["location"])
    assert "zoe" in asks(server, "GET", begun).text
    board = begun.removesuffix("?begun=yes")
    mail = server.postbox.next_for("bob@example.org")
    assert "Have fun!" in mail.text
    assert f"On the web:  {URL}{board}" in mail.text.split("\n")
    assert f'href="{URL}{board}"' in mail.html
    assert not server.postbox.unread_for("zoe@example.org")
    moved = sends(server, f"{board}/move", {"token": token, "turn": "a1"}, Cookie=cookie)
    assert moved.status == 303
    mail = server.postbox.next_for("bob@example.org")
    assert mail.text.count(URL) == 1
    assert max(map(len, mail.text.split("\n"))) <= 78


def test_a_mail_of_a_board_that_there_is_none_of_names_no_page(server: RunningServer) -> None:
    carol = server.player("carol")
    carol.says("superbo preview new 2 b3")
    assert URL not in carol.hears().text


def test_links_are_in_no_log(server: RunningServer) -> None:
    dora = server.player("dora", "hunter2secret")
    sends(server, "/sign-in", {"who": "dora"})
    link = path_in(dora.hears().text)
    cookie = cookie_of(asks(server, "POST", link))
    sends(server, "/sign-in/password", {"userid": "dora", "password": "hunter2secret"})
    printed = "\n".join(server.lines)
    for secret in (link.rpartition("/")[2], cookie.partition("=")[2], "hunter2secret"):
        assert len(secret) > 10
        assert secret not in printed


def test_hosts_are_told_apart_by_what_the_proxy_says(server: RunningServer) -> None:
    """Twenty guesses, and those of one host are over; another may still guess."""
    guess = {"userid": "", "password": "wrong"}
    for number in range(20):
        guess["userid"] = f"nobody{number}"
        assert sends(server, "/sign-in/password", guess, X_Forwarded_For="spoofed, 192.0.2.7").status == 403
    guess["userid"] = "somebody"
    late = sends(server, "/sign-in/password", guess, X_Forwarded_For="198.51.100.9, 192.0.2.7")
    assert "too many wrong passwords lately" in " ".join(late.text.split())
    other = sends(server, "/sign-in/password", guess, X_Forwarded_For="192.0.2.7, 192.0.2.8")
    assert "do not match" in " ".join(other.text.split())


def test_what_a_stranger_says_of_where_he_comes_from_is_not_believed(tmp_path: Path) -> None:
    with running_server(tmp_path, web_listen="127.0.0.1:0", web_proxies="off") as server:
        guess = {"password": "wrong"}
        origin = {"Origin": server.web}
        for number in range(20):
            fields = {**guess, "userid": f"nobody{number}"}
            sends(server, "/sign-in/password", fields, X_Forwarded_For=f"192.0.2.{number}", **origin)
        late = sends(server, "/sign-in/password", {**guess, "userid": "x"}, X_Forwarded_For="192.0.2.99", **origin)
        assert "too many wrong passwords lately" in " ".join(late.text.split())


def test_links_name_the_port_that_the_system_has_given(tmp_path: Path) -> None:
    with running_server(tmp_path, web_listen="127.0.0.1:0") as server:
        bob = server.player("bob")
        assert sends(server, "/sign-in", {"who": "bob"}, Origin=server.web).status == 200
        (link,) = re.findall(r"http://\S+", bob.hears().text)
        assert link.startswith(f"{server.web}/sign-in/")
        assert asks(server, "GET", link.removeprefix(server.web)).status == 200
