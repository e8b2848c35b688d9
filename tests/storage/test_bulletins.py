from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from sqlalchemy import Engine

from pbem.storage.broadcasts import BulletinBoard, bulletins_up, end_bulletins, post_bulletin
from pbem.storage.engine import make_engine, reading, writing
from tests.storage.stock import AT

DAY = timedelta(days=1)


def test_bulletins_are_up_until_they_end_or_are_taken_down(engine: Engine) -> None:
    with writing(engine) as connection:
        post_bulletin(connection, "one", AT, None)
        post_bulletin(connection, "two", AT, AT + DAY)
    shown = BulletinBoard(engine)
    assert shown.texts(AT) == ["one", "two"]
    assert shown.texts(AT + DAY) == ["one"]
    with writing(engine) as connection:
        assert end_bulletins(connection, [1, 2, 3], AT + 2 * DAY) == 1
    with reading(engine) as connection:
        assert bulletins_up(connection, AT + 2 * DAY) == []


def test_mails_go_without_bulletins_while_the_database_is_in_trouble(tmp_path: Path) -> None:
    engine = make_engine(f"sqlite:///{tmp_path / 'empty.db'}")
    assert BulletinBoard(engine).texts(AT) == []
    engine.dispose()
