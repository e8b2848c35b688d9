"""The games by mail: every option that matters, every reason for a refusal, and games to their ends."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from pbem.diagrams.hextile.letters import draw
from pbem.games.hextile.position import Position
from tests.conversations.playing import MailBoard, form, played, random_turn, userid
from tests.games.hextile.playing import options_of, start
from tests.support.mail import Mail, Person
from tests.support.server import GameServer
from tests.wording.endings import said


@dataclass
class BoardMakers:
    """A server with two players, who start one board after the other."""

    server: GameServer
    alice: Person
    bob: Person

    def seat(self, variant: str) -> MailBoard:
        """Start a board; alice moves first."""
        self.alice.says(challenge(variant))
        mails = self.alice.hears(), self.bob.hears()
        return MailBoard(mails[0].subject.split()[3], self.alice, self.bob, *mails)


def challenge(variant: str) -> str:
    """The words of a challenge: ``lambo challenge -size=9 bob``."""
    game, *words = variant.split()
    return " ".join([game, "challenge", *(f"-{word}" for word in words), "bob"])


@pytest.fixture(scope="module")
def makers(shared: GameServer) -> Iterator[BoardMakers]:
    yield BoardMakers(shared, shared.player("alice"), shared.player("bob"))
    assert not any(shared.postbox.unread_for(f"{name}@example.org") for name in ("alice", "bob"))


# the game and its options · turns before · the bad move · words of the refusal
ILLEGAL: dict[str, tuple[str, list[str], str, str]] = {
    "no such space": ("mambo", [], "b1", "b1: there is no space B on the board."),
    "filled space": ("mambo", ["a1"], "a4", "a4: space A has already been filled."),
    "no space in this direction": ("lambo", ["d1"], "b2,sw1", "sw1: space sw has already been filled."),
    "no state of Mambo": ("mambo", [], "a7", "a7: there is no state 7. The states go from 1 to 6."),
    "no state of Lambo": ("lambo", [], "a4", "a4: there is no state 4. The states go from 1 to 3."),
    "no state of Palago": ("palago", [], "a0", "a0: there is no state 0. The states go from 1 to 3."),
    "corner in Mambo": (
        "mambo",
        ["a1"],
        "b4",
        "b4 does not fit: at its SE corner the neighbours of space B need o, but state 4 shows x there.",
    ),
    "no tile of that kind": (
        "superbo num_tiles=2",
        ["c2"],
        "a1,b4",
        "a1: no tile with an O bridge is left, and state 1 needs one.",
    ),
    "null point": (
        "mambo",
        ["a3", "d5", "k6", "f5"],
        "e1",
        "e1: space E is a null point. Its three corners have one colour, and no tile of this game fits there.",
    ),
    "not adjacent in Lambo": ("lambo", ["d1"], "a1,e1", "e1: the two tiles of a turn must touch each other."),
    "not adjacent in Superbo": (
        "superbo adjacent_pair",
        ["c2"],
        "a1,d1",
        "d1: the two tiles of a turn must touch each other.",
    ),
    "not connected": ("superbo", ["c2"], "a1,d1", "d1: the tiles of a turn must be connected."),
    "a colour missing": (
        "superbo",
        ["a1"],
        "b7,ne7",
        "ne7: x is missing. Together, the tiles of a turn must show both colours.",
    ),
    "a colour missing in the first turn": ("superbo", [], "a7", "a7: x is missing. This turn is a single tile"),
    "a colour missing in a single tile": ("superbo single", ["c2"], "a8", "a8: x is missing."),
    "second tile missing": ("lambo", ["d1"], "b2", "B2 is only part of a turn, which needs a second tile."),
    "second tile too many": ("mambo", ["a1"], "b1,c1", "c1 is one tile too many: a turn of this game has one tile."),
    "second tile in the first turn": ("palago", [], "a1,b1", "b1 is one tile too many: this turn is a single tile."),
    "second tile behind the supply": (
        "lambo size=5",
        ["d1", "b2,c2"],
        "a1,e1",
        "You cannot lay e1: the supply ran out before it, and your turn is complete without it.",
    ),
    "decided by the first in Lambo": (
        "lambo",
        ["d1", "b2,c1"],
        "g3,h1",
        "You cannot lay h1: G3 has already decided the game. Send that tile alone.",
    ),
    "decided by the first in Superbo": (
        "superbo kill_own kill_size=0",
        ["f3"],
        "e2,s1",
        "You cannot lay s1: E2 has already decided the game.",
    ),
    "a single hole": (
        "lambo",
        ["b3", "j3,p2", "d1,t1"],
        "c1,a1",
        "You cannot lay c1 first, because no second tile could follow.",
    ),
    "no swap agreed": ("palago", ["a1"], "swap", "You cannot swap sides in this game"),
    "swap by the first player": ("mambo swap", [], "swap", "Only the second player can swap sides"),
    "swap too late": ("mambo swap", ["a1", "b1"], "swap", "Only the second player can swap sides"),
}


@pytest.mark.parametrize(("variant", "turns", "move", "words"), ILLEGAL.values(), ids=ILLEGAL)
def test_an_illegal_turn_is_refused_with_its_reason(
    makers: BoardMakers, variant: str, turns: list[str], move: str, words: str
) -> None:
    table = makers.seat(variant)
    table.play(*turns)
    before = played(makers.server)
    mover, mail = (makers.alice, table.one_mail) if len(turns) % 2 == 0 else (makers.bob, table.other_mail)
    mover.answers(mail, move)
    refusal = mover.hears()
    assert refusal.subject == f"{variant.split()[0]} Board {table.number} Error"
    assert words in refusal.words
    assert "\n\nNothing has changed.\n\n" in refusal.text
    assert f"\nSummary of {variant.split()[0]} Board {table.number}\n" in refusal.text
    example = re.search(r"^Answer this mail with your move, for example:  (\S+)$", mail.text, re.MULTILINE)
    assert example
    assert example[0] in refusal.text
    command = f"{variant.split()[0]} move {table.number} {userid(mover)} <password> {example[1]}"
    assert f"\nTo move in a new mail:  {command}\n" in refusal.text
    assert form("swap" if move == "swap" else "move") in refusal.text
    assert played(makers.server) == before


REFUSED = {
    "superbo auto=full": "-auto=full does not work in this game: 4 states fit a space with two alike corners",
    "superbo kill": "-kill could mean several things: kill_eye, kill_own, kill_enemy or kill_size.",
    "superbo kill-own kill_eye": "-kill_eye and -kill_own do not go together",
    "superbo num_tiles=1": '-num_tiles does not take the value 1. After "=", give a whole number from 2 to 200.',
    "superbo size=9 quick quick": "There is no option -size. There is no option -quick. The options here: -num_tiles,",
    "superbo size=9": "There is no option -size.",
    "mambo size": "-size needs a whole number from 4 to 400, as in -size=400.",
    "mambo loops=21": '-loops does not take the value 21. After "=", give a whole number from 0 to 20.',
    "mambo mamba=1": '-mamba takes no value; please write it without "=1".',
    "mambo auto=some": '-auto does not take the value some. After "=", give none, limited or full.',
    "mambo mamba mambogo": "-mamba and -mambogo do not go together: each is a whole set of rules.",
    "mambo no-kill tied": "With -no_kill and -tied, nobody could ever win",
    "mambo tiebreak=total": "-tiebreak=total only works together with -territory.",
    "lambo eat_enemy=2 must-contain": "-eat_enemy=2 and -must_contain do not go together: each says what wins",
    "lambo size=9 size=10": "-size=9 and -size=10 do not go together: an option can have only one value.",
    "palago anywhere": "There is no option -anywhere. Lambo and Superbo have an option with this name. "
    "The options here: -size, -swap, -random,",
}


@pytest.mark.parametrize(("variant", "words"), REFUSED.items(), ids=REFUSED)
def test_options_that_cannot_be_are_refused_with_the_reason(makers: BoardMakers, variant: str, words: str) -> None:
    before = played(makers.server)
    replace(makers.alice, vouched=True).says(challenge(variant))
    refusal = makers.alice.hears()
    assert refusal.subject == "Invalid challenge"
    assert words in refusal.words
    assert "No board was started." in refusal.text
    assert refusal.words.count("The options here") <= 1
    assert f"Options of the game and what they mean: help {variant.split()[0]} options\n" in refusal.text
    assert played(makers.server) == before


TO_THE_END = (
    "mambo",
    "mambo mamba size=12",
    "mambo mamboa loops=1 size=16",
    "mambo mambogo size=14",
    "mambo auto=none size=9 largest-loses",
    "lambo size=15",
    "lambo anywhere eat_enemy=1 size=14",
    "lambo must-contain size=11",
    "palago size=8",
    "superbo num_tiles=6 any-color",
    "superbo single kill_enemy kill_size=0 num_tiles=9",
    "superbo swap num_tiles=3",
)


@pytest.mark.parametrize("variant", TO_THE_END)
def test_a_game_goes_to_its_end(makers: BoardMakers, variant: str) -> None:
    chance = random.Random(TO_THE_END.index(variant))
    (game, _), table, position = options_of(variant), makers.seat(variant), start(variant)
    while position.outcome is None:
        position = random_turn(position, chance)
        table.play(game.input_text(position, ()).move.lower())
        for mail in (table.one_mail, table.other_mail):
            check(mail, position)
            assert game.input_text(position, ()).move in mail.text
    assert table.one_mail.subject == f"{game.name} Board {table.number}"
    winners = [("alice", "bob")[seat] for seat in position.outcome.winners]
    for mail, reader in ((table.one_mail, "alice"), (table.other_mail, "bob")):
        won = "You won!" if reader in winners else f"{winners[0]} won." if winners else "The game is a tie."
        assert f"\n\n{won}" in mail.text
    assert said(position, game.name, (position.ply - 1) % 2) in table.other_mail.words


def check(mail: Mail, position: Position) -> None:
    """A mail shows the position as an independent replay has it."""
    layout = position.layout
    marks = {**layout.labels, **dict.fromkeys(layout.null_points, "-")}
    assert draw(layout.tiles, marks) in mail.text
