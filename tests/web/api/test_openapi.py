"""Whatever is asked of the addresses for programs, they answer as /openapi.json says; and no page breaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pbem.domain.mails import Notice
from pbem.usecases.context import Context
from pbem.usecases.signing_in import make_token
from pbem.web.app import PAGES
from tests.storage.stock import WON
from tests.support.web_site import WebSite

KNOWN = ("superbo", "mambo", "alice", "bob", "Cup", "101", "102", "A1", "A1/B2", "B3", "active", "games alice")
"""Names and values that exist: chance alone would hardly find them."""
FEW = settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])  # one server for all
SAID = st.one_of(st.sampled_from(KNOWN), st.text(max_size=30), st.integers().map(str))


@pytest.fixture
def played(site: WebSite) -> WebSite:
    """A site with a board that is over, one that is on, and a tournament."""
    site.joins("alice", "bob")
    site.moves(site.begins("superbo", "alice", "bob"), *WON)
    site.begins("mambo", "bob", "alice")
    site.says("alice", "mambo tournament create Cup")
    return site


@pytest.fixture
def token(played: WebSite) -> str:
    """A token of Alice's."""
    made: list[str] = []

    def make(context: Context) -> list[Notice]:
        made.append(make_token("tests", context)[0])
        return []

    played.does("alice", make)
    return made[0]


def values(schema: Mapping[str, Any]) -> st.SearchStrategy[str]:
    """Values for a field, as it is described, and others."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"]) | SAID
    if schema["type"] == "integer":
        least, most = schema.get("minimum"), schema.get("maximum")
        return st.sampled_from(("101", "102", "1", "2")) | st.integers(least, most).map(str) | SAID
    return SAID


def holds(described: Mapping[str, Any], operation: Mapping[str, Any], answer: Any) -> None:
    """Hold an answer against what its operation declares."""
    told = operation["responses"].get(str(answer.status_code))
    assert told is not None, (answer.status_code, answer.text[:300])
    ((kind, content),) = told["content"].items()
    assert answer.headers["content-type"].partition(";")[0] == kind
    schema = {**content["schema"], "components": described["components"]}
    Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(answer.json())


def test_every_address_that_reads_answers_as_described(played: WebSite) -> None:
    described = played.guest().asks("/openapi.json").json()
    reading = {
        path: told["get"] for path, told in described["paths"].items() if "get" in told and path.endswith(".json")
    }
    assert len(reading) > 10

    @FEW
    @given(st.data())
    def asked(data: st.DataObject) -> None:
        for path, operation in reading.items():
            address, query = path, {}
            for each in operation.get("parameters", ()):
                value = data.draw(values(each["schema"]), label=each["name"])
                if each["in"] == "path":
                    address = address.replace(f"{{{each['name']}}}", quote(value, safe=""))
                elif data.draw(st.booleans()):
                    query[each["name"]] = value
            answer = played.guest().asks(f"{address}?{urlencode(query)}")
            if answer.headers["content-type"].startswith("text/html"):  # a name like "a/b.html" leads to a page
                assert answer.status_code < 500
            else:
                holds(described, operation, answer)

    asked()


def test_commands_of_any_kind_are_answered_as_described(played: WebSite, token: str) -> None:
    described = played.guest().asks("/openapi.json").json()
    operation = described["paths"]["/commands"]["post"]

    @FEW
    @given(SAID, st.booleans(), st.none() | st.text("abc\x7f", max_size=300), st.text(max_size=20))
    def sent(line: str, is_known: bool, key: str | None, words: str) -> None:
        headers = {"authorization": f"Bearer {token if is_known else 'none'}"}
        headers |= {} if key is None else {"idempotency-key": key}
        content = f"{line}\n{words}".encode("utf-8", "replace")
        holds(described, operation, played.guest().asks("/commands", "POST", content=content, headers=headers))

    sent()


def test_no_page_breaks_whatever_stands_in_its_address(played: WebSite) -> None:
    guest, alice = played.guest(), played.browser("alice")
    fields = ("page", "behind", "game", "player", "which", "turn", "pick", "move", "options", "players", "then", "to")

    @FEW
    @given(st.data())
    def opened(data: st.DataObject) -> None:
        for path in PAGES:
            address = path
            while "{" in address:
                before, _, behind = address.partition("{")
                address = before + quote(data.draw(SAID), safe="") + behind.partition("}")[2]
            query = data.draw(st.dictionaries(st.sampled_from(fields), SAID, max_size=3))
            browser = data.draw(st.sampled_from((guest, alice)))
            answer = browser.asks(f"{address}?{urlencode(query)}")
            assert answer.status_code < 500, (address, query)

    opened()
