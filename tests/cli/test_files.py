from __future__ import annotations

import resource
from collections.abc import Iterator

import pytest

from pbem.cli.output import OWN_FILES, most_files, room_for_web


@pytest.fixture
def few() -> Iterator[int]:
    """A process that may have fewer files open than the system allows it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, hard - 1), hard))
    yield hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_the_server_may_have_as_many_files_open_as_the_system_allows(few: int) -> None:
    assert most_files() == few
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (few, few)


def test_the_web_leaves_room_for_letters() -> None:
    assert room_for_web(100_000, wanted=1000, for_mail=400) == 1000
    assert room_for_web(1024, wanted=1000, for_mail=400) == 1024 - 400 - OWN_FILES
    assert room_for_web(64, wanted=1000, for_mail=400) == 1
