"""Pages of the help, printed."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence

import click

from pbem.bootstrap import find_games
from pbem.bootstrap.wording import make_wording
from pbem.cli.output import FAILED, read_settings, safe
from pbem.commands.command import Need
from pbem.commands.verb import Scope
from pbem.commands.verbs import ABBREVIATED, COMMANDS, OTHER_NAMES, VERBS
from pbem.config import Settings
from pbem.domain.seeks import OF_CHALLENGE, OF_CLOCK, OF_SEEK
from pbem.wording.help import Explained, explained
from pbem.wording.templates import Wording

_TERMS = {"challenge": OF_CHALLENGE, "seek": OF_SEEK, "tournament": OF_CLOCK}
"""The options beside those of the game, by the verbs that take them; the page about each verb explains some."""


@click.command()
def commands() -> None:
    """Print all commands that players can mail.

    docs/commands.md holds this output.
    """
    click.echo(commands_page(), nl=False)


def commands_page() -> str:
    """A table of every form of every command, as Markdown; it is the same for all settings."""
    wording, games = make_wording(Settings()), find_games()
    facts = {
        "games": sorted(games),
        "of_all_games": [verb.word for verb in VERBS.values() if verb.scope is Scope.GAMES],
        "terms": tuple(_terms(wording)),
        "options": [(games[name], _explained(wording, f"{name} options")) for name in sorted(games)],
        "preferences": _explained(wording, "set"),
        "needs": _needs(),
        "translations": {
            verb.word: {"de": (), "fr": (), **verb.translations} for verb in VERBS.values() if verb.translations
        },
        "other_names": {**OTHER_NAMES, **{f"{beginning}...": verb for beginning, verb in ABBREVIATED.items()}},
    }
    return wording.tool("commands", facts)


def _explained(wording: Wording, subject: str) -> Sequence[Explained]:
    """The words that a page of the help explains; none if a game comes without such a page."""
    page = wording.help.page(subject)
    return explained(page)


def _terms(wording: Wording) -> Iterator[tuple[Explained, Sequence[str]]]:
    """The options that every game has, and the verbs that take them."""
    for subject in _TERMS:
        for each in _explained(wording, subject):
            yield each, [verb for verb, terms in _TERMS.items() if each.name in terms] or [subject]


def _needs() -> Mapping[str, Sequence[str]]:
    """The verbs by the proof that they need; one that can both show and change something may be listed twice."""
    needed = {(command.form, command.needs) for command in COMMANDS}
    return {need.name.lower(): [verb for verb in VERBS if (verb, need) in needed] for need in Need}


@click.command("help")
@click.argument("words", metavar="[SUBJECT]...", nargs=-1)
def help_(words: tuple[str, ...]) -> None:
    """Print a help page, as players get it by mail."""
    wording = make_wording(read_settings())
    found = wording.help.find(words)
    lost = [asked for asked in found if asked.is_missing]
    if lost:
        told = wording.tool("help_missing", {"lost": lost}).splitlines()
        click.echo("pbem: " + "\n".join(map(safe, told)), err=True)
    for asked in found:
        if asked.page is not None:
            click.echo(asked.page.text, nl=False)
    if not all(asked.page for asked in found):
        sys.exit(FAILED)
