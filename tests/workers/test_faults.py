from __future__ import annotations

import pytest
from sqlalchemy.exc import IntegrityError, OperationalError

from pbem.workers.faults import where_it_failed


def stumble(word: str) -> None:
    raise ValueError(f"no such thing: {word}")


def caught(word: str) -> ValueError:
    try:
        stumble(word)
    except ValueError as failed:
        return failed
    raise AssertionError


def test_a_fault_is_told_by_its_kind_and_place() -> None:
    told = where_it_failed(caught("x"))
    assert told["error"] == "ValueError"
    assert told["at"].startswith("test_faults.py:")
    assert " caught > test_faults.py:" in told["at"]
    assert told["at"].endswith(" stumble")


def test_no_word_of_a_letter_is_told_of_a_fault() -> None:
    assert "hunter2" not in str(where_it_failed(caught("hunter2")))


def test_an_exception_that_came_of_another_tells_no_words_either() -> None:
    with pytest.raises(RuntimeError) as raised:
        raise RuntimeError("hunter2") from caught("hunter2")
    assert "hunter2" not in str(where_it_failed(raised.value))


@pytest.mark.parametrize("why", ["connection refused", 'password authentication failed for user "pbem"'])
def test_why_the_database_is_in_trouble_is_told_in_one_line(why: str) -> None:
    failed = OperationalError("SELECT :word", {"word": "hunter2"}, Exception(f"{why}\nDETAIL: hunter2"))
    told = where_it_failed(failed)
    assert told["reason"] == why
    assert "hunter2" not in str(told)


def test_what_a_database_says_of_a_statement_is_not_told() -> None:
    told = where_it_failed(IntegrityError("INSERT", {}, Exception("Key (userid)=(hunter2) already exists")))
    assert "reason" not in told
    assert "hunter2" not in str(told)


def test_only_the_last_few_places_are_told() -> None:
    def deeper(depth: int) -> None:
        if not depth:
            stumble("x")
        deeper(depth - 1)

    with pytest.raises(ValueError, match="no such thing") as raised:
        deeper(50)
    assert where_it_failed(raised.value)["at"].count(" > ") == 3
