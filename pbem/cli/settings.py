"""Settings and logs of the command line."""

from __future__ import annotations

import logging
import sys
from typing import Any

import click
import structlog
from structlog.typing import Processor

from pbem.cli.output import read_settings
from pbem.cli.tables import show
from pbem.config import Settings
from pbem.workers.faults import where_it_failed


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list of objects.")
def settings(*, as_json: bool) -> None:
    """Print every setting, its value and where it comes from.

    Secrets are masked.
    """
    columns = ("setting", "value", "from")
    rows = [dict(zip(columns, row, strict=True)) for row in read_settings().rows()]
    show(rows, columns, as_json=as_json)


_FIRST = ["timestamp", "level", "event"]


class _Libraries(logging.Handler):
    """Writes the logs of libraries as events of ours; of an exception only its place."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        failed = record.exc_info[1] if record.exc_info else None
        where = {} if failed is None else where_it_failed(failed)
        says = record.getMessage().strip().partition("\n")[0]  # asyncio shows below that what tasks hold
        structlog.get_logger().log(record.levelno, "library", name=record.name, says=says, **where)


def configure_logs(level: str, form: str = "text", *, beside: bool = False) -> None:
    """Set up the logs of this process.

    The SMTP library's own log shows what clients say, so it is left out.

    Args:
        level: the least level that is logged, as in the setting.
        form: ``text``, which is ``key=value``, or ``json``, an object a line.
        beside: True if they go to the standard error, since something else is printed.
    """
    logging.basicConfig(level=level.upper(), handlers=[_Libraries()], force=True)
    # Below WARNING it shows letters, and in warnings whatever a client has said instead of a command.
    logging.getLogger("mail.log").setLevel(logging.ERROR)
    logging.getLogger("imapclient").setLevel(logging.WARNING)  # below that it shows letters
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger("uvicorn").setLevel(logging.ERROR)  # anybody can have it warn of anything they send
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            _renderer(form),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=_beside if beside else structlog.PrintLoggerFactory(),
    )


def log_beside(settings: Settings) -> None:
    """Set up the logs of a tool, like those of the server but on the standard error."""
    configure_logs(settings.log_level, settings.log_format, beside=True)


def _beside(*_names: Any) -> structlog.PrintLogger:
    """Writes to the standard error as it is now, even if it has been replaced."""
    return structlog.PrintLogger(sys.stderr)


def _renderer(form: str) -> Processor:
    """The function that makes a line of an event."""
    if form == "json":
        return structlog.processors.JSONRenderer(default=str, ensure_ascii=False)
    return structlog.processors.KeyValueRenderer(key_order=_FIRST)
