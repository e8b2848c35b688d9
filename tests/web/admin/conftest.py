from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.domain.credentials import hashed
from pbem.storage.engine import writing
from pbem.storage.operators import add_link
from tests.support.web_site import WebClient, WebSite
from tests.web.visiting import sends

OPERATOR = "root (boss)"


@pytest.fixture
def signs_in() -> Callable[[WebSite], WebClient]:
    """An operator signs in with a link, as `pbem admin sign-in` prints one."""

    def signed_in(site: WebSite) -> WebClient:
        with writing(site.server.engine) as connection:
            add_link(connection, hashed("secret-of-link"), OPERATOR, site.now)
        browser = site.guest()
        assert sends(browser, "/admin/sign-in/secret-of-link", {}).status_code == 303
        return browser

    return signed_in
