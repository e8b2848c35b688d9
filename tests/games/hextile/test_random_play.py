import pytest

from tests.bench.random_play import SAMPLE, SEED, TABLE, BenchLine, compare


@pytest.mark.slow
@pytest.mark.parametrize("line", TABLE, ids=lambda line: line.name)
def test_random_games_come_out_as_the_table_of_the_rules_says(line: BenchLine) -> None:
    assert not compare(line, SAMPLE, SEED)
