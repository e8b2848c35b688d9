import sys
from pathlib import Path

import pytest

from tests.support.tools import REQUIRE_TOOLS, require_tool


def test_a_tool_that_is_there_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    python = Path(sys.executable)
    monkeypatch.setenv("PATH", str(python.parent))
    assert require_tool(python.name) == str(python)


def test_without_its_tool_a_test_skips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(REQUIRE_TOOLS, raising=False)
    with pytest.raises(pytest.skip.Exception, match="needs no-such-tool: make test-tools"):
        require_tool("no-such-tool")


def test_where_tools_are_required_a_test_fails_without_its_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REQUIRE_TOOLS, "1")
    with pytest.raises(pytest.fail.Exception, match="needs no-such-tool: buy one"):
        require_tool("no-such-tool", "buy one")
