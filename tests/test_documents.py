import doctest
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "rules-as-a-library.md"


def test_the_library_does_what_its_page_shows() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried > 20
    assert not failed
