"""`deploy/inbound/worker.js`, run by a browser's engine as a mail service would run it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from tests.support.browser import Visitor
from tests.support.ports import free_port
from tests.support.server import RunningServer, running_server

WORKER = Path(__file__).parents[3] / "deploy" / "inbound" / "worker.js"
SECRET = "a secret of the operator"
RUN = """async ([worker, letter, from, to, secret]) => {
    let rejected = null;
    const message = { from, to, raw: new Blob([letter]).stream(), setReject: (reason) => { rejected = reason; } };
    const module = (0, eval)(worker.replace("export default", "globalThis.worker ="));
    try {
        await module.email(message, { INBOUND_URL: location.origin + "/inbound", INBOUND_SECRET: secret });
        return { rejected };
    } catch (error) {
        return { rejected, thrown: error.message };
    }
}"""


def hands_in(visitor: Visitor, letter: str, to: str = "pbem@localhost", secret: str = SECRET) -> Any:
    words = [WORKER.read_text(encoding="utf-8"), letter, "ann@example.org", to, secret]
    return visitor.page.evaluate(RUN, words)


def test_a_letter_is_passed_on_and_answered(chromium: Browser, tmp_path: Path) -> None:
    with running_server(
        tmp_path, smtp_listen="off", web_listen=f"127.0.0.1:{free_port()}", inbound_secret=SECRET
    ) as server:
        visitor = Visitor.come(chromium, server.web, bypass_csp=True)
        visitor.goes("/")
        visitor.expected.append("status of 4(01|13|22)")
        letter = "From: Ann <ann@example.org>\nTo: pbem@localhost\nSubject: help\nMessage-ID: <1@example.org>\n\nhelp\n"
        assert hands_in(visitor, letter) == {"rejected": None}
        assert hands_in(visitor, letter) == {"rejected": None}, "the same letter once more"
        refused_finally(visitor, letter)
        visitor.leave()
        assert_answered_once(server)


def refused_finally(visitor: Visitor, letter: str) -> None:
    assert hands_in(visitor, letter, to="bob@example.org")["rejected"] == "550 5.1.1 No such mailbox here"
    assert hands_in(visitor, letter + "x" * 300_000)["rejected"].startswith("552 5.3.4")
    thrown = hands_in(visitor, letter, secret="another one, and a wrong one")
    assert thrown == {"rejected": None, "thrown": "401 535 5.7.8 The secret is wrong"}


def assert_answered_once(server: RunningServer) -> None:
    mail = server.person("ann").hears()
    assert "help" in mail.subject.lower()
    assert len(server.postbox.mails) == 1
