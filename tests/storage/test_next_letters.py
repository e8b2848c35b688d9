from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import select, update

from pbem.domain.letters import InboxFull
from pbem.storage.arrivals import Arrival
from pbem.storage.engine import reading, writing
from pbem.storage.models import LetterRow
from tests.storage.boxes import Boxes, letter
from tests.storage.stock import AT, MINUTE, stocked


def taken(boxes: Boxes, most: int = 8) -> list[str]:
    """The keys of the letters that are leased together."""
    return [each.raw.split()[1].decode() for each in boxes.inbox.lease(AT, most)]


def attempts(boxes: Boxes) -> list[int]:
    with reading(boxes.engine) as connection:
        return list(connection.scalars(select(LetterRow.attempts).order_by(LetterRow.id)))


def test_letters_of_one_sender_come_one_after_the_other(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a"), letter("b")])
    first = boxes.leased()
    assert not boxes.other.lease(AT)
    boxes.finish(first)
    assert boxes.taken() == "b"


def test_letters_of_other_senders_are_not_held_back(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a"), letter("b"), letter("c", "bob@example.org"), letter("d", "")])
    assert [boxes.taken() for _ in range(4)] == ["a", "c", "d", None]


def test_a_letter_put_back_holds_back_its_sender_alone_until_it_is_due(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a"), letter("b"), letter("c", "bob@example.org")])
    boxes.inbox.retry(boxes.leased(), "why", AT + MINUTE)
    assert [boxes.taken(), boxes.taken()] == ["c", None]
    assert boxes.taken(AT + MINUTE) == "a"


def test_letters_of_different_senders_are_taken_together(boxes: Boxes) -> None:
    boxes.inbox.accept([letter(key, f"{key}@example.org") for key in "abcd"])
    assert taken(boxes, 3) == ["a", "b", "c"]
    assert attempts(boxes) == [1, 1, 1, 0]


def test_no_letter_overtakes_one_that_waits_for_the_same_sender(boxes: Boxes) -> None:
    senders = {"1": "ann", "2": "bob", "3": "ann", "4": "carol"}
    boxes.inbox.accept([letter(key, f"{sender}@example.org") for key, sender in senders.items()])
    assert taken(boxes) == ["1", "2"]


def test_a_letter_that_was_tried_before_is_taken_alone(boxes: Boxes) -> None:
    boxes.inbox.accept([letter(key, f"{key}@example.org") for key in "abc"])
    (tried,) = boxes.inbox.lease(AT)
    boxes.inbox.retry(tried, "why", AT)
    assert taken(boxes) == ["a"]
    assert taken(boxes) == ["b", "c"]


def test_behind_very_many_letters_of_one_sender_those_of_others_are_found_in_order(boxes: Boxes) -> None:
    boxes.inbox.accept([letter(f"flood{number}", "flood@example.org") for number in range(250)])
    boxes.inbox.accept([letter(key, f"{key}@example.org") for key in "ab"])
    boxes.inbox.accept([letter("a2", "a@example.org")])
    assert taken(boxes) == ["flood0"]
    assert taken(boxes) == ["a", "b"]
    assert taken(boxes) == []


def handled(boxes: Boxes, most: int, until: str | None = None) -> list[str]:
    """Handle letters one by one; return their keys in this order."""
    keys: list[str] = []
    while len(keys) < most and (not keys or keys[-1] != until):
        letter = boxes.leased()
        keys.append(letter.raw.split()[1].decode())
        boxes.finish(letter)
    return keys


ALICE_AT, BOB_AT = "alice@example.org", "bob@example.org"
ROOM = 1000


def known(key: str, sender: str, claimed: str | None = None, proven: str | None = None) -> Arrival:
    return replace(letter(key, sender), claimed=(claimed or sender,), proven=proven)


@pytest.fixture
def crowded(boxes: Boxes) -> Boxes:
    """Two players, and so many letters of strangers as a flood brings."""
    stocked(boxes.engine)
    boxes.inbox.accept([letter(f"flood{number}", f"x{number}@evil.example") for number in range(100)], ROOM)
    return boxes


def test_letters_of_known_senders_overtake_a_crowd_every_other_time(crowded: Boxes) -> None:
    handled(crowded, 40)  # those that came before it was a crowd
    crowded.inbox.accept([known("x", "nobody@example.org"), known("alice", ALICE_AT), known("bob", BOB_AT)], ROOM)
    crowded.inbox.accept([known("later", "carol@example.org", BOB_AT)], ROOM)
    assert taken(crowded, 3) == ["alice", "bob", "later"]
    assert taken(crowded, 3) == ["flood40", "flood41", "flood42"]


def test_known_senders_with_few_letters_keep_their_order(crowded: Boxes) -> None:
    handled(crowded, 40)
    letters = [(f"{name}{number}", at) for number in range(4) for name, at in (("alice", ALICE_AT), ("bob", BOB_AT))]
    for number, (key, sender) in enumerate(letters):
        crowded.inbox.accept([known(key, f"{number}@example.net", sender)], ROOM)
    assert taken(crowded) == [key for key, _ in letters]


def test_an_address_in_the_head_and_one_that_proves_its_player_count_as_well(crowded: Boxes) -> None:
    handled(crowded, 40)
    of_head, of_token = known("from", "bounces@example.net", ALICE_AT), known("token", "new@a.b", proven="player 7")
    crowded.inbox.accept([of_head, of_token], ROOM)
    assert taken(crowded, 2) == ["from", "token"]


def test_whoever_forges_a_player_fills_that_lane_alone_and_half_of_the_time(crowded: Boxes) -> None:
    handled(crowded, 40)
    forged = [known(f"forged{number}", f"x{number}@example.net", ALICE_AT) for number in range(50)]
    proven = known("alice", "a@b.c", ALICE_AT, "player 1")
    crowded.inbox.accept([*forged, known("bob", BOB_AT), proven], ROOM)
    assert taken(crowded, 12) == [*(f"forged{number}" for number in range(10)), "bob", "alice"]
    assert taken(crowded, 2) == ["flood40", "flood41"]


def test_the_first_letter_of_a_stranger_is_not_behind_the_hundredth_of_another(boxes: Boxes) -> None:
    flood = [known(f"flood{number}", "x@evil.example", f"x{number}@evil.example") for number in range(200)]
    for each in flood:
        boxes.inbox.accept([each], ROOM)
    boxes.inbox.accept([known("new", "new@example.org")], ROOM)
    before = handled(boxes, 200, until="new")
    assert before.pop() == "new"
    assert len(before) < 60, "forty that came before it was a crowd, ten of the same turn, and some by arrival"


def test_the_order_of_one_sender_stays_though_later_letters_have_a_lane(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("early", ALICE_AT)], ROOM)
    stocked(boxes.engine)
    boxes.inbox.accept([letter(f"flood{number}", f"x{number}@evil.example") for number in range(60)], ROOM)
    boxes.inbox.accept([known("one", ALICE_AT), known("two", ALICE_AT)], ROOM)
    early = boxes.leased()
    assert early.raw.startswith(b"Subject: early")
    assert taken(boxes, 1) == ["flood0"]
    boxes.finish(early)
    assert taken(boxes) == ["one"]


def test_the_last_places_of_a_full_inbox_are_for_known_senders(boxes: Boxes) -> None:
    stocked(boxes.engine)
    boxes.inbox.accept([letter(f"x{number}", f"x{number}@evil.example") for number in range(45)], 50)
    with pytest.raises(InboxFull):
        boxes.inbox.accept([known("y", "y@evil.example")], 50)
    boxes.inbox.accept([known(f"a{number}", ALICE_AT) for number in range(5)], 50)
    with pytest.raises(InboxFull):
        boxes.inbox.accept([known("a6", ALICE_AT)], 50)


def test_where_few_wait_nobody_has_a_lane(boxes: Boxes) -> None:
    stocked(boxes.engine)
    boxes.inbox.accept([letter("a", "x@evil.example"), known("alice", ALICE_AT)], ROOM)
    assert taken(boxes) == ["a", "alice"]
    with reading(boxes.engine) as connection:
        assert set(connection.scalars(select(LetterRow.lane))) == {None}


def test_a_letter_of_a_later_turn_is_not_held_up_by_one_behind_it_of_an_earlier_turn(boxes: Boxes) -> None:
    """The crowd was over when the second one came."""
    boxes.inbox.accept([letter("first", ALICE_AT), letter("other", BOB_AT), letter("second", ALICE_AT)], ROOM)
    with writing(boxes.engine) as connection:
        connection.execute(update(LetterRow).where(LetterRow.id < 3).values(turn=1))
    assert taken(boxes) == ["first"]
