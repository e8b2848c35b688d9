from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme

from tests.support.mail import AnyPort


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> trustme.CA:
    """The only authority that this machine believes for the length of a test."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    return authority


@pytest.fixture
def serve() -> Iterator[Callable[..., int]]:
    """Start a mail server, return its port."""
    controllers: list[AnyPort] = []

    def start(handler: object, **options: Any) -> int:
        controllers.append(AnyPort(handler, hostname="127.0.0.1", port=0, **options))
        controllers[-1].start()
        return controllers[-1].port

    yield start
    for controller in controllers:
        controller.stop()
