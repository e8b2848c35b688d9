"""Links for signing in: who is mailed one, and what tells nobody whether there is anyone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Engine

from pbem.domain.credentials import ConfirmationKind, hashed
from pbem.domain.letters import Evidence
from pbem.domain.mails import Notice
from pbem.domain.players import Address, Player, Standing
from pbem.domain.replies import ConfirmReply, Signer
from pbem.games.hextile.superbo import SUPERBO
from pbem.storage.passwords import Argon2Passwords
from pbem.usecases import signing_in
from pbem.usecases.context import Context, GameStateCache, Policy, Proof, Speaker
from pbem.usecases.signing_in import SIGNUPS_PER_DAY, TooManyAsked, count_asked
from pbem.web.security import network_of
from tests.storage.stock import ALICE, AT, player, stocked, work
from tests.support.databases import engine_at

GAMES = {"superbo": SUPERBO}
SIGNER = Signer(["a key"])
LASTS = timedelta(days=30)
FROM = Evidence("@192.0.2.1")


@pytest.fixture
def engine(chosen_url: str) -> Iterator[Engine]:
    with engine_at(chosen_url) as engine:
        stocked(engine)
        yield engine


def does(engine: Engine, deed: Callable[[Context], list[Notice]], evidence: Evidence = FROM) -> list[Notice]:
    with work(engine) as uow:
        passwords = Argon2Passwords(8, 1)
        context = Context(
            uow, AT, GAMES, GameStateCache(GAMES), passwords, Policy("pbem@x"), evidence, SIGNER.draw_lots, SIGNER.tag
        )
        told = deed(context)
        uow.commit()
    return told


def asks(engine: Engine, who: str) -> list[Notice]:
    return does(engine, lambda context: signing_in.ask_link(who, SIGNER.sign, context))


def becomes(engine: Engine, after: Player) -> None:
    with work(engine) as uow:
        uow.players.save(replace(after, revision=uow.players.get(after.id).revision))
        uow.commit()


def test_a_link_goes_to_all_addresses_of_the_player_and_machines_do_not_answer_it(engine: Engine) -> None:
    (notice,) = asks(engine, "bob")
    assert notice.name == "sign_in"
    assert not isinstance(notice.to, str)
    assert notice.to.reachable == ("bob@example.org", "Bob@Work.example")
    assert notice.from_nobody
    assert notice.reply is None
    assert not notice.is_decoy
    assert isinstance(SIGNER.read(str(notice.facts["link"]), AT), ConfirmReply)


@pytest.mark.parametrize("who", ["nobody", "nobody@example.org", "", "@", "x" * 500, "\u0000"])
def test_who_is_not_there_is_worded_a_mail_that_goes_nowhere(engine: Engine, who: str) -> None:
    (notice,) = asks(engine, who)
    assert notice.is_decoy
    assert not isinstance(notice.to, str)
    assert notice.to.reachable == ("nobody@example.invalid",)
    assert len(str(notice.facts["link"])) == 37


@pytest.mark.parametrize(
    "after",
    [
        replace(ALICE, standing=Standing.BANNED),
        replace(ALICE, standing=Standing.GONE, addresses=()),
        replace(ALICE, mail_stopped=True),
        replace(ALICE, addresses=(Address("alice@example.org"),)),
        replace(ALICE, addresses=(Address("alice@example.org", AT, AT),)),
    ],
    ids=["banned", "gone", "mail stopped", "unconfirmed", "unreachable"],
)
def test_who_cannot_be_mailed_or_signed_in_is_mailed_nothing(engine: Engine, after: Player) -> None:
    becomes(engine, after)
    (notice,) = asks(engine, "alice")
    assert notice.is_decoy


def test_who_is_frozen_signs_in_to_look_on(engine: Engine) -> None:
    becomes(engine, replace(ALICE, standing=Standing.FROZEN))
    (notice,) = asks(engine, "alice")
    question = SIGNER.read(str(notice.facts["link"]), AT)
    assert isinstance(question, ConfirmReply)
    secrets: list[str] = []

    def sign_in(context: Context) -> list[Notice]:
        secrets.append(signing_in.sign_in_by_link(question, LASTS, context))
        return []

    does(engine, sign_in)
    speakers: list[Speaker] = []

    def look(context: Context) -> list[Notice]:
        speakers.append(signing_in.speaker_of(secrets[0], context))
        return []

    does(engine, look)
    assert speakers[0].known.userid == "Alice"
    assert speakers[0].proof is Proof.PROVEN
    assert speakers[0].session == hashed(secrets[0])


def test_players_who_share_an_address_are_mailed_a_link_each(engine: Engine) -> None:
    shared = [player(number, f"twin{number}", "shared@example.org") for number in range(10, 18)]
    with work(engine) as uow:
        for each in shared:
            uow.players.save(each)
        uow.commit()
    told = asks(engine, "Shared@example.org")
    assert len(told) == signing_in.MOST_SHARING
    assert len({notice.facts["link"] for notice in told}) == len(told)


def test_no_link_is_asked_for_in_the_name_of_a_session(engine: Engine) -> None:
    """A question bears the session it was asked in, and one that signs in was asked in none."""
    (notice,) = asks(engine, "alice")
    question = SIGNER.read(str(notice.facts["link"]), AT)
    assert isinstance(question, ConfirmReply)
    with work(engine) as uow:
        asked = uow.confirmations.find(question.confirmation)
    assert asked is not None
    assert (asked.kind, asked.session) == (ConfirmationKind.SIGN_IN, None)
    assert asked.expires_at == AT + signing_in.LINK_FOR


@pytest.mark.parametrize(
    ("hosts", "most"),
    [
        (["192.0.2.1"] * 30, SIGNUPS_PER_DAY),
        ([f"2001:db8:1:2::{n:x}" for n in range(30)], SIGNUPS_PER_DAY),
        ([f"2001:db8:1:{n:x}::1" for n in range(100)], 4 * SIGNUPS_PER_DAY),
        ([f"192.0.2.{n}" for n in range(30)], 30),
    ],
)
def test_sign_ups_are_counted_by_host_by_line_and_by_site(engine: Engine, hosts: list[str], most: int) -> None:
    taken = 0
    for host in hosts:
        with suppress(TooManyAsked):
            does(engine, _counts, Evidence(f"@{network_of(host)}"))
            taken += 1
    assert taken == most


def _counts(context: Context) -> list[Notice]:
    count_asked(context, is_signup=True)
    return []
