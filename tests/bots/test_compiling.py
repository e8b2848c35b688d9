from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.bots.compiling import kept_at

if TYPE_CHECKING:
    from pathlib import Path


def test_what_was_compiled_is_kept_in_the_first_folder_that_can_be_written_to(tmp_path: Path) -> None:
    barred = tmp_path / "file"
    barred.touch()
    found = kept_at((barred, tmp_path / "open"))
    assert found is not None
    assert found.parent == tmp_path / "open"
    assert kept_at((tmp_path / "open",)) == found
    assert kept_at((barred,)) is None
