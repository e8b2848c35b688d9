"""Lines of the log, ours and those of libraries."""

from __future__ import annotations

import io
import json
import logging
from contextlib import redirect_stderr

import pytest
import structlog

from pbem.cli.settings import configure_logs, log_beside
from pbem.config import Settings


def test_an_event_is_a_line_of_facts(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("info")
    structlog.get_logger().info("letter taken", letter=7)
    structlog.get_logger().debug("not told")
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("timestamp='2")
    assert line.endswith(" level='info' event='letter taken' letter=7")


def test_a_tool_logs_on_whatever_the_standard_error_is(capsys: pytest.CaptureFixture[str]) -> None:
    log_beside(Settings.read({"PBEM_LOG_LEVEL": "warning"}))
    structlog.get_logger().info("not told")
    structlog.get_logger().warning("forgotten", mails=7)
    put_there = io.StringIO()
    with redirect_stderr(put_there):
        logging.getLogger("library").warning("of a library")
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.endswith(" level='warning' event='forgotten' mails=7\n")
    assert "says='of a library'" in put_there.getvalue()


def test_or_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("info", "json")
    structlog.get_logger().info("letter answered", letter=7, mails=["7-1"], by={"Gr\u00fc\u00dfe"})
    told = json.loads(capsys.readouterr().out)
    assert (told["event"], told["level"], told["letter"], told["mails"]) == ("letter answered", "info", 7, ["7-1"])


def test_libraries_write_in_the_same_form_and_never_what_an_exception_is_about(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logs("debug", "json")
    try:
        int("hunter2")
    except ValueError:
        logging.getLogger("uvicorn.error").exception("Exception in %s\n", "ASGI application")
    logging.getLogger("asyncio").error("Task exception was never retrieved\nfuture: hunter2")
    logging.getLogger("mail.log").warning("hunter2")
    logging.getLogger("uvicorn.error").warning("hunter2")
    line, other = capsys.readouterr().out.splitlines()
    told = json.loads(line)
    assert json.loads(other)["says"] == "Task exception was never retrieved"
    assert (told["event"], told["name"], told["error"]) == ("library", "uvicorn.error", "ValueError")
    assert "test_logs.py" in told["at"]
    assert "hunter2" not in line + other
