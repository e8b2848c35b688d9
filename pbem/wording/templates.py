"""Templates: the environment for each language, and mails, pages and refusals made from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, MutableMapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import (
    BytecodeCache,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    Template,
    TemplateNotFound,
    pass_context,
    pass_eval_context,
    select_autoescape,
)
from jinja2.bccache import Bucket
from jinja2.nodes import EvalContext
from jinja2.runtime import Context
from markupsafe import Markup

import pbem.wording.hextile
import pbem.wording.mamba  # noqa: F401 - both register how their positions are shown
from pbem.commands.secrets import is_hidden
from pbem.domain.mails import Notice
from pbem.domain.players import Player
from pbem.domain.preferences import ENGLISH, LANGUAGES, Preferences
from pbem.errors import PlayerError
from pbem.games.game import Game
from pbem.wording import scenes
from pbem.wording.boards import Recent, example_turn, move_list, move_texts, show
from pbem.wording.catalogues import Catalogue
from pbem.wording.drawings import Drawings, Figures
from pbem.wording.functions import FILTERS, FUNCTIONS
from pbem.wording.help import Help
from pbem.wording.layout import Forms, fill, flow, right_form, short_forms, tidy
from pbem.wording.mails import DRAWING, MailRenderer, RenderedMail, mailto


class _Compiled(BytecodeCache):
    """Keeps them in memory; a template that has changed is another one."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill in what is kept of a template, if anything is."""
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template."""
        self._kept[bucket.key] = bucket.bytecode_to_string()


COMPILED = _Compiled()
"""Of all `Wording` of this process, which have the same functions and filters."""


class Templates(Environment):
    """Templates of which none has globals of its own, so that all share those of the environment as they are.

    Jinja would chain a mapping of the template's own before them, and go through the chain for each part of a mail.
    """

    def __init__(self, **options: Any) -> None:
        self._found: dict[str, Template | None] = {}
        super().__init__(**options)

    def _load_template(self, name: str, globals: MutableMapping[str, Any] | None) -> Template:  # noqa: A002 - Jinja's
        """A template, loaded once; that there is none is known from then on, too, as includes of families ask often."""
        if name not in self._found:
            try:
                self._found[name] = super()._load_template(name, globals)
            except TemplateNotFound as wrong:
                if wrong.name != name:
                    raise
                self._found[name] = None
        template = self._found[name]
        if template is None:
            raise TemplateNotFound(name)
        return template

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals of a template."""
        return super().make_globals(d) if d else self.globals


MOST_TO_STRANGERS = 5000
"""Characters of an answer to a sender who has proven nothing: the longest help page that beginners need."""
_ALL = -1
"""Templates that are kept: there are some hundreds, and no more come."""


_BLOCK = re.compile(r"{% block (\w+) %}")


def template_name(leaf: type) -> str:
    """The template of a class: ``CornerMismatch`` → ``corner_mismatch``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", leaf.__name__).lower()


_BLANKS = "\n\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
"""They are said not to be printable; the last two stand in French numbers and sentences."""


def _printable(text: str) -> str:
    """A text with escapes for characters that would control a terminal or turn the direction of writing."""
    return "".join(each if each.isprintable() or each in _BLANKS else ascii(each)[1:-1] for each in text)


def _sentences_of(said: Catalogue) -> Callable[..., str]:
    """The `gettext` of templates, as the extension makes it, but called without two detours through the context."""

    @pass_eval_context
    def sentence(where: EvalContext, text: str, **facts: object) -> str:
        found = said.gettext(text)
        return (Markup(found) if where.autoescape else found) % facts  # noqa: S704 - ours, as the extension does

    return sentence


def _mailto_us(address: str, _reply_to: str, subject: str) -> str:
    """A link to our plain address, instead of one whose letters would not arrive."""
    return mailto(address, subject)


def _preferences(notice: Notice) -> Preferences:
    return notice.to.preferences if isinstance(notice.to, Player) else Preferences(language=notice.language)


def _brief(text: str, env: Environment) -> str:
    """A text without what is too long for a reader who may not have asked for it."""
    if len(text) <= MOST_TO_STRANGERS:
        return text
    end = text.rindex("\n", 0, MOST_TO_STRANGERS)
    return tidy(text[:end] + "\n\n" + env.get_template("parts/cut_short.txt").render())


def _blocks_in(folder: Path) -> Mapping[str, str]:
    """The names of the blocks of the templates in a folder, each with the name of its template."""
    files = sorted(folder.glob("*.txt"))
    return {name: f"{folder.name}/{file.name}" for file in files for name in _BLOCK.findall(file.read_text())}


class Wording:
    """The templates of one folder.

    Args:
        folder: holds a folder for each language.
        server: facts that every template may use, the server's address among them.
        games: that the help pages show boards of, by name.
        absent: the names of games that could be here and are not installed, and other words for them.
    """

    def __init__(
        self,
        folder: Path,
        server: Mapping[str, object],
        games: Mapping[str, Game[Any, Any]] | None = None,
        absent: Collection[str] = (),
    ) -> None:
        self._folder = folder
        self._refusals = _blocks_in(folder / "errors")
        drawings = Drawings()
        known = {"site_url": None, **server, **Figures(games or {}, drawings).functions, **scenes.functions(drawings)}
        known |= {"absent_games": absent, "drawn": Recent(show)}
        known |= {"move_list": Recent(move_list, 2), "move_texts": Recent(move_texts, 2)}
        known |= {"example_turn": Recent(example_turn, 2)}
        if not known.get("has_sub_addresses", True):
            known["mailto"] = partial(_mailto_us, str(known["server_address"]))
        self._envs = {language: self._environment(language, known) for language in LANGUAGES}
        self.environment = self._envs[ENGLISH]
        self.help, self.forms = Help(self._envs, drawings, absent), Forms(self.environment)
        for env in self._envs.values():
            env.globals.update(help=self.help, forms=Forms(env))

    def _environment(self, language: str, known: Mapping[str, Any]) -> Environment:
        """The templates in a language; those that it does not have are the English ones."""
        env = Templates(
            loader=FileSystemLoader([self._folder / language, self._folder / ENGLISH, self._folder]),
            bytecode_cache=COMPILED,
            auto_reload=False,
            cache_size=_ALL,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            autoescape=select_autoescape(["html"]),
            extensions=["jinja2.ext.i18n", "jinja2.ext.do"],
        )
        env.policies["ext.i18n.trimmed"] = True
        said = Catalogue(self._folder, language)
        env.install_gettext_callables(  # type: ignore[attr-defined]  # what the extension adds
            said.gettext, said.ngettext, newstyle=True, pgettext=said.pgettext, npgettext=said.npgettext
        )
        env.globals["_"] = env.globals["gettext"] = _sentences_of(said)
        env.globals.update(FUNCTIONS, **known, language=language, said=self._said)
        env.globals.update(reason=lambda error: self.reason(error, language))
        env.globals.update(right_form=right_form, short_forms=short_forms)
        env.filters.update(FILTERS, flow=Recent(flow))
        env.tests.update(hidden=is_hidden)
        return env

    def _environment_for(self, preferences: Preferences) -> Environment:
        """The templates of a reader's mails and pages; programs that read the classic layout read English."""
        return self._envs[ENGLISH if preferences.layout == "classic" else preferences.language]

    def render(self, notice: Notice, reply_to: str | None = None, below: Sequence[str] = ()) -> RenderedMail:
        """A notice in words, as its reader wants them.

        Args:
            notice: what is to be told.
            reply_to: where an answer proves who the reader is, for the links to move by.
            below: what the operator tells everybody.
        """
        preferences = _preferences(notice)
        env = self._environment_for(preferences)
        script = MailRenderer(env)
        subject, written = self._write(notice, script, preferences, reply_to)
        if below:
            parts = env.get_template("parts/bulletins.txt")
            written += parts.render(script=script, texts=below)
        if notice.is_brief:
            return RenderedMail(subject, _brief(script.text(written), env))
        if preferences.mail == "text" or not script.has(DRAWING):
            return RenderedMail(subject, script.text(written))
        return script.words(subject, written, html_alone=preferences.mail == "html")

    def _write(
        self, notice: Notice, script: MailRenderer, preferences: Preferences, reply_to: str | None
    ) -> tuple[str, str]:
        """The Subject of a notice, and its template filled in, with places for the parts."""
        facts = {**notice.facts, "script": script, "preferences": preferences, "reply_to": reply_to}
        env = self._environment_for(preferences)
        head, _, written = env.get_template(f"mail/{notice.name}.txt").render(facts).partition("\n")
        if {"undone", "left_out", "plan_left"} & set(notice.facts):
            written = env.get_template("parts/not_done.txt").render(facts) + "\n" + written
        return " ".join(head.removeprefix("Subject:").split()), written

    def page(
        self, name: str, facts: Mapping[str, object], reader: Player | None = None, language: str = ENGLISH
    ) -> str:
        """A page for the web, as its reader wants it; ``language`` is that of a guest."""
        preferences = reader.preferences if reader else Preferences(language=language)
        env = self._environment_for(preferences)
        known = {"script": MailRenderer(env), "preferences": preferences, "reply_to": None}
        return env.get_template(f"web/{name}.html").render({**known, **facts})

    def page_text(self, notice: Notice) -> tuple[str, str]:
        """Subject and text of a notice that a page shows."""
        preferences = _preferences(notice)
        script = MailRenderer(self._environment_for(preferences))
        subject, written = self._write(notice, script, preferences, None)
        return subject, script.text(written)

    def page_answer(self, notice: Notice) -> tuple[str, list[tuple[str, object]]]:
        """Subject of a notice that a page shows, and its pieces, each with its kind; boards are drawn with letters."""
        preferences = replace(_preferences(notice), board="ascii")
        script = MailRenderer(self._environment_for(preferences))
        subject, written = self._write(notice, script, preferences, None)
        return subject, list(script.on_page(subject, written))

    def tool(self, name: str, facts: Mapping[str, object]) -> str:
        """The output of a command-line tool."""
        return tidy(self.environment.get_template(f"tools/{name}.txt").render(facts))

    def reason(self, error: PlayerError, language: str = ENGLISH) -> str:
        """The reason for a refusal, in a sentence or two; a class that has no words of its own has its parent's."""
        name = next(name for each in type(error).__mro__ if (name := template_name(each)) in self._refusals)
        template = self._envs[language].get_template(self._refusals[name])
        said = "".join(template.blocks[name](template.new_context(error.facts)))
        return fill(_printable(said))

    def reason_line(self, error: PlayerError) -> str:
        """The same on one line, in English."""
        return " ".join(self.reason(error).split())

    @pass_context
    def _said(self, context: Context, notice: Notice) -> str:
        """A notice within another; the links of one board would answer none."""
        return self._write(notice, context["script"], context["preferences"], None)[1].strip("\n")
