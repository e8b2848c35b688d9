"""A few seconds of what ``make fuzz`` does for a minute."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.mutations import mutated, seeds
from tests.fuzz.target import Target
from tests.support.readers import shared_reader

LETTERS = seeds()


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Target]:
    with Target(tmp_path, shared_reader()) as target:
        yield target


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])  # one server for all
@given(st.randoms(use_true_random=True))
def test_a_letter_changed_by_chance_is_answered_or_given_up(target: Target, random: Random) -> None:
    target.take(mutated(LETTERS, random))
