"""Commands of programs: a line as in a mail, sent with a token that identifies the player."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from starlette.responses import Response

from pbem.domain.credentials import Post, TooManyPosts, hashed
from pbem.domain.mails import Notice
from pbem.errors import NotAllowed, PlayerError
from pbem.usecases.answering import answer_visitor, told_apart
from pbem.usecases.context import Context
from pbem.usecases.refusals import REFUSALS
from pbem.usecases.signing_in import KeyUsed, NoSuchToken, answered_before, speaker_by
from pbem.web.api.answers import encoded, error_facts, problem, refused, status_of
from pbem.web.context import Busy, RequestContext

MOST_BYTES = 64 * 1024
"""Most bytes that a program may send at once."""
LONGEST_KEY = 255
_ASK_TOKEN = {"www-authenticate": 'Bearer realm="pbem"'}


class BadKey(NotAllowed):
    """The key of a command is empty or too long."""

    most: int


@dataclass(frozen=True, slots=True)
class Sent:
    """The request of a program."""

    secret: str
    """The secret of its token; empty if it has shown none."""
    key: str | None
    """Its name for this command, so that it is carried out only once."""
    text: str
    """The command on the first line, and words that go with it below."""


def carry_out(visit: RequestContext, body: bytes) -> Response:
    """Carry out the command of a program."""
    kind, _, secret = visit.request.headers.get("authorization", "").partition(" ")
    shown = secret.strip() if kind.lower() == "bearer" else ""
    sent = Sent(shown, visit.request.headers.get("idempotency-key"), body.decode("utf-8", "replace").replace("\0", ""))
    try:
        return _carry_out(visit, sent)
    except NoSuchToken as wrong:
        return refused(visit, wrong, 401, _ASK_TOKEN)
    except TooManyPosts as wrong:
        return refused(visit, wrong, 429, {"retry-after": str(wrong.facts["seconds"])})
    except Busy as wrong:
        return refused(visit, wrong, 409)
    except KeyUsed as wrong:
        return refused(visit, wrong, 422)
    except BadKey as wrong:
        return refused(visit, wrong, 400)


def _carry_out(visit: RequestContext, sent: Sent) -> Response:
    if sent.key is not None and not 0 < len(sent.key) <= LONGEST_KEY:
        raise BadKey(LONGEST_KEY)
    decision = _Decision(visit, sent)
    visit.settle(decision.take)
    return decision.response


class _Decision:
    """The decision on a command; once it has been taken, the response is ready."""

    def __init__(self, visit: RequestContext, sent: Sent) -> None:
        self._visit, self._sent = visit, sent
        self.response = Response()

    def take(self, context: Context) -> Mapping[str, Sequence[Notice]] | None:
        """Decide the command; return the notices to be mailed, None if it was decided before.

        Raises:
            NoSuchToken, TooManyPosts, KeyUsed: it is refused unread.
        """
        speaker, sent = speaker_by(self._sent.secret, context), self._sent
        token = speaker.session or ""
        before = answered_before(token, sent.key or "", sent.text, context)
        if before is not None:
            self.response = _response(before.status, before.answer.encode(), again=True)
            return None
        line, _, words = sent.text.strip().partition("\n")
        shown, mailed = told_apart(answer_visitor(line, words, replace(context, speaker=speaker)), context)
        status, answer = self._worded(shown, len(mailed))
        if sent.key is not None:
            post = Post(token, hashed(sent.key), hashed(sent.text), context.now, status, answer.decode())
            context.uow.tokens.keep(post)
        self.response = _response(status, answer)
        return {f"token-{secrets.token_hex(8)}": mailed}

    def _worded(self, shown: Sequence[Notice], mailed: int) -> tuple[int, bytes]:
        """The answer as JSON, with its status."""
        answers = [self._told(notice) for notice in shown]
        wrong = next((_wrong(notice) for notice in shown if notice.name in REFUSALS), None)
        if wrong is None:
            return 200, encoded({"answers": answers, "mailed": mailed})
        status = status_of(wrong)
        told = {"detail": self._visit.site.wording.reason(wrong), **error_facts(wrong), "answers": answers}
        return status, bytes(problem(status, told).body)

    def _told(self, notice: Notice) -> Mapping[str, str]:
        subject, text = self._visit.site.wording.page_text(notice)
        return {"name": notice.name, "subject": subject, "text": text}


def _wrong(notice: Notice) -> PlayerError:
    wrong: Any = notice.facts["error"]
    return wrong if isinstance(wrong, PlayerError) else NotAllowed()


def _response(status: int, body: bytes, *, again: bool = False) -> Response:
    headers = {"cache-control": "no-store", **({"idempotency-replayed": "true"} if again else {})}
    media_type = "application/json" if status < 400 else "application/problem+json"
    return Response(body, status, media_type=media_type, headers=headers)
