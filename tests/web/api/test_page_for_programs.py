"""The page for programs shows what a server does that is asked over HTTP."""

from __future__ import annotations

import doctest
from pathlib import Path
from pathlib import Path as Folder

import httpx
from lxml import html
from openapi_spec_validator import validate

from tests.support.server import running_server

PAGE = Path(__file__).parents[3] / "docs" / "programs.md"


def a_token(server: str, userid: str) -> str:
    """Sign in with the password, and make a token."""
    with httpx.Client(base_url=server, follow_redirects=True) as client:
        client.post("/sign-in/password", data={"userid": userid, "password": "secret"}).raise_for_status()
        page = html.document_fromstring(client.get("/settings/tokens").text)
        fields = {"token": page.xpath("//input[@name='token']/@value")[0], "name": "robot"}
        made = html.document_fromstring(client.post("/settings/tokens", data=fields).text)
        return str(made.xpath("//pre/code/text()")[0])


def test_the_page_shows_what_a_server_does(tmp_path: Folder) -> None:
    with running_server(tmp_path, web_listen="127.0.0.1:0") as server:
        alice, bob = server.player("alice"), server.player("bob")
        alice.says("mambo challenge -size=10 alice bob")
        alice.hears()
        bob.hears()
        known = {"SERVER": server.web, "TOKEN": a_token(server.web, "alice")}
        failed, tried = doctest.testfile(
            str(PAGE),
            module_relative=False,
            globs=known,
            optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL,
        )
        validate(httpx.get(f"{server.web}/openapi.json").json())
        assert bob.hears().text.count("Good luck!") == 1
    assert tried > 15
    assert not failed
