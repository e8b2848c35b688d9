"""Programs from outside that some tests need. Without them a test skips, or fails where they are required."""

import os
import shutil
from typing import NoReturn

import pytest

REQUIRE_TOOLS = "PBEM_TEST_REQUIRE_TOOLS"


def lacking(what: str, hint: str) -> NoReturn:
    """Skip the present test for want of ``what``, or fail it under ``PBEM_TEST_REQUIRE_TOOLS=1``."""
    sentence = f"needs {what}: {hint}"
    if os.environ.get(REQUIRE_TOOLS, "0") in {"", "0"}:
        pytest.skip(sentence)
    pytest.fail(sentence, pytrace=False)


def require_tool(name: str, hint: str = "make test-tools") -> str:
    """Return the path of a program; ``hint`` says how to get it where there is none."""
    # Debian keeps daemons in sbin, which is not on everybody's PATH.
    folders = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])
    return shutil.which(name, path=folders) or lacking(name, hint)
