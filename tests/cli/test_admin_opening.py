"""What the subcommands of ``pbem admin`` share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.admin import admin

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "words",
    [
        ["boards", "show"],
        ["letters", "--board"],
        ["maintenance", "end"],
        ["outbox", "drop"],
        ["outbox", "retry"],
        ["reports", "close"],
        ["reports", "show"],
        ["robots", "drop"],
        ["robots", "retry"],
        ["shunted", "drop"],
        ["shunted", "retry"],
        ["shunted", "show"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("number", [0, 2**31, 2**63])
def test_a_number_that_no_database_could_hold_is_misuse(tmp_path: Path, words: list[str], number: int) -> None:
    ended = admin(tmp_path, *words, str(number))
    assert ended.exit_code == 2
    assert f"{number} is not in the range 1<=x<=999999999" in ended.stderr


def test_what_is_no_number_is_misuse_in_plain_words(tmp_path: Path) -> None:
    ended = admin(tmp_path, "boards", "show", "abc")
    assert ended.exit_code == 2
    assert "'abc' is not a valid number." in ended.stderr
