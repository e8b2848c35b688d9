from pbem.games.catalogue import Catalogue
from pbem.games.hextile.superbo import SUPERBO

CATALOGUE = Catalogue({"superbo": SUPERBO})


def test_a_game_is_found_by_its_name() -> None:
    assert CATALOGUE["superbo"] is SUPERBO
    assert CATALOGUE.get("superbo") is SUPERBO
    assert CATALOGUE.names == ("superbo",)


def test_no_game_has_an_unknown_name() -> None:
    assert CATALOGUE.get("chess") is None
