"""What Prometheus reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST as CONTENT_TYPE
from prometheus_client import generate_latest

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

__all__ = ["CONTENT_TYPE", "exposition"]


def exposition(registry: CollectorRegistry) -> bytes:
    """All values of a registry in Prometheus' text format; the database may be asked for some of them."""
    return generate_latest(registry)
