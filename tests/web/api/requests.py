"""Requests of programs, whose answers must be as the API describes them."""

from __future__ import annotations

from typing import Any

import httpx
from jsonschema import Draft202012Validator
from starlette.routing import compile_path

from pbem.web.api.endpoints import ENDPOINTS
from tests.support.web_site import WebClient


def make(browser: WebClient, name: str = "robot") -> str:
    """Make a token on the page; return its secret."""
    page = browser.opens("/settings/tokens")
    answer = browser.asks(
        "/settings/tokens", "POST", data={"token": page.all("//input[@name='token']/@value")[0], "name": name}
    )
    assert answer.status_code == 200, answer.text
    return answer.text.split("<pre><code>")[1].split("<")[0]


def post(tool: WebClient, secret: str, text: str, **headers: str) -> httpx.Response:
    """Send a command; what comes must be what the description says."""
    shown = {"authorization": f"Bearer {secret}"} if secret else {}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = tool.asks("/commands", "POST", content=text.encode(), headers={**shown, **named})
    described: Any = tool.asks("/openapi.json").json()
    responses = described["paths"]["/commands"]["post"]["responses"]
    ((kind, content),) = responses[str(answer.status_code)]["content"].items()
    assert answer.headers["content-type"] == kind
    whole = {**content["schema"], "components": described["components"]}
    Draft202012Validator(whole).validate(answer.json())
    return answer


def read(tool: WebClient, address: str, status: int = 200) -> Any:
    """Read an address as a tool does; check that the answer is what the description says."""
    answer = tool.asks(address)
    assert answer.status_code == status, (address, answer.text[:500])
    value = answer.json()
    check(tool, answer.url.path, status, value)
    return value


def check(tool: WebClient, path: str, status: int, value: object) -> None:
    """Hold a value against the schema that its address declares."""
    described = tool.asks("/openapi.json").json()
    endpoint = next(each for each in ENDPOINTS if compile_path(each.path)[0].fullmatch(path))
    schema = endpoint.schema if status == 200 else {"$ref": "#/components/schemas/Problem"}
    whole = {**schema, "components": described["components"]}
    Draft202012Validator(whole, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(value)
