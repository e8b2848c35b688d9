from __future__ import annotations

from pathlib import Path

import pytest

from tests.proofs.page import proofs, section, table
from tests.proofs.tree import Proof

PAGE = (Path(__file__).parents[2] / "docs" / "palago.md").read_text()


def test_the_page_has_the_table_of_the_proofs_that_are_kept() -> None:
    assert table() in PAGE


@pytest.mark.parametrize("proof", proofs(), ids=lambda proof: proof.turns[0])
def test_the_page_draws_a_main_line_of_each(proof: Proof) -> None:
    assert section(proof) in PAGE
