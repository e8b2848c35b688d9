"""The measure of what one move runs through."""

from tests.support.way_of_a_move import way_of_a_move


def test_a_move_is_followed_from_the_door_through_the_reader_and_the_worker_to_the_outbox() -> None:
    way = way_of_a_move()
    ends = {"pbem.mail_in.session", "pbem.mail_in.mime", "pbem.games.hextile.position", "pbem.storage.outbox"}
    assert ends <= set(way.modules)
    assert not {"pbem.storage.seeks", "pbem.storage.tournaments", "pbem.bootstrap.settings"} & set(way.modules)
    shapes = {"pbem.mail_in.mime.ReadLetter", "pbem.domain.boards.Board", "pbem.domain.letters.OutgoingMail"}
    assert shapes <= set(way.shapes)
    assert 1000 < way.lines < 10_000
