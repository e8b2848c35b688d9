from __future__ import annotations

from pathlib import Path

from pbem.bots.compiling import kept_at


def test_what_was_compiled_is_kept_in_the_first_folder_that_can_be_written_to(tmp_path: Path) -> None:
    barred = tmp_path / "file"
    barred.touch()
    found = kept_at((barred, tmp_path / "open"))
    assert found is not None
    assert found.parent == tmp_path / "open"
    assert kept_at((tmp_path / "open",)) == found
    assert kept_at((barred,)) is None


def test_what_was_compiled_of_other_sources_is_removed_when_a_folder_is_made(tmp_path: Path) -> None:
    stale, other, held = tmp_path / "numba-0123", tmp_path / "module.pyc", tmp_path / "numba-held"
    (stale / "bots").mkdir(parents=True)
    (stale / "bots" / "tree.nbi").touch()
    other.touch()
    held.touch()  # a file where a folder was is one that cannot be removed as one
    found = kept_at((tmp_path,))
    assert found is not None
    assert {*tmp_path.iterdir()} == {found, other, held}
    stale.mkdir()
    assert kept_at((tmp_path,)) == found
    assert stale.exists(), "only where a folder is made others are looked for"
