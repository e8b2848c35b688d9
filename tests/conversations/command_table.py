"""Letters for every command of the language: one that is carried out, and one that is refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

SOON = (datetime.now(UTC) + timedelta(days=5)).date().isoformat()


@dataclass(frozen=True)
class Row:
    """A command with a letter that works and one that is refused; ``{n}`` is a board of alice's and bob's."""

    works: str
    """alice sends it, unless somebody else's userid stands in front of a colon."""
    answer: str
    """Words of the Subject or the text of what comes back."""
    refused: str
    why: str
    """Words of the refusal."""
    before: tuple[str, ...] = ()
    """Letters that must have been answered before the first one."""
    challenge: str = "superbo challenge bob"
    """The challenge that begins the board."""
    body: str = field(default="These are my words.", repr=False)


MOVED = ("move {n} alice secret b3",)
BOTH_MOVED = (*MOVED, "bob: move {n} bob secret c4,k5")
OVER = (*BOTH_MOVED, "resign {n} alice secret")
OVER_OTHERWISE = ("move {n} alice secret e2", "bob: move {n} bob secret a1,b2", "resign {n} alice secret")
"""Nobody has a board that stands so, which could not be analysed."""

ELSEWHERE = "There is no board 99999"
NOT_THERE = "You (carol) do not play"
TABLE: dict[str, list[Row]] = {
    # Accounts
    "signup": [
        Row("nora: signup nora secret", "Please confirm your pbem account nora", "signup bob secret", "is taken"),
        Row("nina: signup nina", "Please confirm your pbem account nina", "signup 12345", "12345"),
    ],
    "add": [Row("add alice secret alice@example.net", "Please confirm", "add alice secret nowhere", "nowhere")],
    "change": [
        Row("change password alice secret better", "Please confirm", "change alice secret better", "what to change"),
        Row("change address alice secret new@example.net", "Please confirm", "change address alice secret x@", "x@"),
    ],
    "forgot": [Row("forgot alice", "A forgotten password", "forgot", "a userid")],
    "set": [
        Row("set alice secret legend=on", "legend=on", "set alice secret colour=x", 'no preference "colour"'),
        Row("set", "legend=on", "set describe", '"describe"'),
    ],
    "vacation": [
        Row(f"dave: vacation dave secret {SOON}", "vacation", "vacation alice secret 2020-01-01", "2020"),
        Row("vacation alice secret", "vacation", "vacation alice secret 2020-02-31", '"2020-02-31" is not a date'),
        Row(
            "dave: vacation dave secret off",
            "back",
            "vacation alice secret off",
            "not on vacation",
            (f"dave: vacation dave secret {SOON}",),
        ),
    ],
    "block": [Row("carol: block carol secret dave", "dave", "block alice secret zorro", "zorro")],
    "unblock": [
        Row(
            "carol: unblock carol secret dave",
            "dave",
            "unblock alice secret zorro",
            "zorro",
            ("carol: block carol secret dave",),
        )
    ],
    "report": [Row("report alice secret bob {n}", "report", "report alice secret alice", "yourself")],
    "data": [Row("data alice secret", "What this server holds about alice", "data alice secret now", "before word 4")],
    "signoff": [Row("dave: signoff dave secret", "Please confirm", "signoff alice secret now", "like a sentence")],
    "delete": [Row("dave: delete dave secret", "Please confirm", "delete alice secret now", "like a sentence")],
    # The server
    "help": [Row("help move", "Makes a move on a board", "help xyzzy", 'no help about "xyzzy"')],
    "list": [Row("list", "List of games", "list poker", '"poker"')],
    "who": [Row("who bob", "bob", "who zorro", '"zorro"')],
    "message": [Row("message alice secret bob", "bob", "message alice secret zorro", '"zorro"')],
    "broadcast": [
        Row("broadcast alice secret", "on its way to all players", "broadcast alice secret now", "before word 4")
    ],
    "multiple": [
        Row("multiple", "Answers to your 2 commands", "multiple", '"My"', body="list\nwho bob\nend"),
    ],
    # Boards
    "challenge": [
        Row("superbo challenge bob", "New superbo Board", "superbo challenge zorro", '"zorro"'),
        Row("superbo challenge -single --unrated bob alice", "New superbo Board", "superbo challenge -x bob", "-x"),
        Row("superbo chall --pair bob", "New superbo Board", "challenge bob", 'before "challenge"'),
        Row("superbo challenge -kill_eye", "seek", "poker challenge bob", '"poker"'),
    ],
    "move": [
        Row("superbo move {n} alice secret b3", "superbo Board {n} bob", "bob: move {n} bob secret zz9", "no space ZZ"),
        Row("mvoe {n} alice secret b3#1", "superbo Board {n} bob", "bob: board {n} bob secret g2#9", "move 9"),
    ],
    "pass": [
        Row(
            "pass {n} alice secret",
            "mamba Board {n} bob",
            "carol: pass {n} carol secret",
            NOT_THERE,
            challenge="mamba challenge -inorder alice bob",
        )
    ],
    "swap": [
        Row(
            "swap {n} alice secret",
            "superbo Board {n} bob",
            "swap {n} alice secret",
            "swap",
            before=("bob: move {n} bob secret b3",),
            challenge="superbo challenge -swap bob alice",
        )
    ],
    "propose": [Row("propose {n} alice secret", "draw", "carol: propose {n} carol secret", NOT_THERE, BOTH_MOVED)],
    "undo": [Row("undo {n} alice secret", "take back", "carol: undo {n} carol secret", NOT_THERE, MOVED)],
    "accept": [
        Row(
            "accept {n} alice secret",
            "draw",
            "accept {n} alice secret",
            "is over",
            (*BOTH_MOVED, "bob: propose {n} bob secret"),
        ),
        Row("superbo accept alice secret", "any number", "superbo accept alice secret now", "before word"),
    ],
    "reject": [
        Row(
            "reject {n} alice secret",
            "superbo Board {n}",
            "reject {n} alice secret",
            "ffer",
            (*MOVED, "bob: move {n} bob secret c4,k5", "bob: undo {n} bob secret"),
        ),
        Row("carol: superbo reject carol secret", "hallenge", "superbo reject alice secret now", "before word"),
    ],
    "resign": [
        Row("resign {n} alice secret", "bob won. You resigned.", "resign {n} alice secret", "is over", BOTH_MOVED),
        Row("superbo resign {n} alice secret", "declined", "resign 99999 alice secret", ELSEWHERE),
    ],
    "queue": [
        Row(
            "queue {n} alice secret g2,h7", "Your move is queued", "carol: queue {n} carol secret a1", NOT_THERE, MOVED
        ),
        Row("qmove {n} alice secret g2,h7", "Your move is queued", "moveq 99999 alice secret a1", ELSEWHERE, MOVED),
        Row(
            "queue {n} alice secret cancel",
            "superbo Board {n}",
            "queue {n} alice secret cancel",
            "You have no move in the queue",
            (*MOVED, "queue {n} alice secret g2,h7"),
        ),
    ],
    "plan": [
        Row(
            "plan {n} alice secret if c4,k5 then g2,h7; else a1,f4",
            "Your plan is kept",
            "carol: plan {n} carol secret else a1",
            NOT_THERE,
            MOVED,
        ),
        Row(
            "superbo plan {n} alice secret else g2,h7",
            "Your move is queued",
            "plan 99999 alice secret",
            ELSEWHERE,
            MOVED,
        ),
        Row(
            "plan {n} alice secret cancel",
            "Your plan has been dropped",
            "plan {n} alice secret cancel",
            "You have no plan",
            (*MOVED, "plan {n} alice secret if c4,k5 then g2,h7"),
        ),
        Row(
            "plan {n} alice secret",
            "Your plan:",
            "bob: plan {n} bob secret",
            "You have no plan",
            (*MOVED, "plan {n} alice secret if c4,k5 then g2,h7"),
        ),
        Row(
            "plan {n} alice secret share",
            "if d8,r10 then a1,f4",
            "bob: plan {n} bob secret share",
            "You have no plan",
            (
                *BOTH_MOVED,
                "move {n} alice secret g2,h7",
                "plan {n} alice secret if d8,r10 then a1,f4",
                "bob: resign {n} bob secret",
            ),
        ),
    ],
    "note": [
        Row("note {n} alice secret", "These are my words.", "note 99999 alice secret", ELSEWHERE),
        Row(
            "note {n} alice secret",
            "Your note on this board:",
            "bob: note {n} bob secret delete",
            "You have no note",
            ("note {n} alice secret\nThe corner is weak.",),
            body="",
        ),
        Row(
            "note {n} alice secret delete",
            "Your note has been deleted",
            "note {n} alice secret delete",
            "You have no note",
            ("note {n} alice secret\nThe corner is weak.",),
            body="",
        ),
    ],
    "study": [
        Row(
            "study {n} alice secret title The corner",
            "Your study of superbo Board {n}",
            "study 99999 alice secret",
            ELSEWHERE,
            OVER,
            body="#2 {natural}",
        ),
        Row(
            "study {n} alice secret",
            "The corner",
            "study {n} alice secret delete #1",
            "says nothing about move 1",
            (*OVER, "study {n} alice secret title The corner"),
            body="",
        ),
        Row(
            "study {n} alice secret share",
            "To end this, answer this mail with:",
            "bob: study {n} bob secret share",
            "You have no study",
            (*OVER, "study {n} alice secret title The corner"),
            body="",
        ),
        Row(
            "study {n} alice secret unshare",
            "private, as it was",
            "study 0123456789abcdef0123456789abcdef",
            "Nobody shares a study",
            (*OVER, "study {n} alice secret title The corner"),
            body="",
        ),
        Row(
            "study {n} alice secret delete",
            "has been deleted",
            "study {n} alice secret delete",
            "You have no study",
            (*OVER, "study {n} alice secret title The corner"),
            body="",
        ),
    ],
    "studies": [
        Row(
            "studies alice secret",
            "The corner",
            "studies alice secret 2",
            "page 2",
            (*OVER, "study {n} alice secret title The corner"),
        ),
    ],
    "submit": [Row("submit {n} alice secret b3", "confirm", "carol: submit {n} carol secret b3", NOT_THERE)],
    "confirm": [
        Row(
            "confirm {n} alice secret",
            "superbo Board {n} bob",
            "confirm {n} alice secret",
            "submitted",
            ("submit {n} alice secret b3",),
        )
    ],
    "preview": [
        Row("preview {n} b3 c4,k5", "2. C4,K5", "preview {n} zz9", "no space ZZ"),
        Row("superbo prev new 2 -single b3", "B3", "superbo preview new -nonsense b3", "-nonsense"),
    ],
    "explore": [
        Row("explore superbo b3", "Openings of Superbo", "explore superbo b3 zz9", "no space ZZ"),
        Row("explore {n}#0", "Explorer", "explore {n}#9", "has no move 9", MOVED),
    ],
    "show": [
        Row("show {n}#1", "1. B3", "show {n}#9", "has no move 9", MOVED),
        Row("superbo show alice next", "Board", "superbo show zorro", '"zorro"', ()),
        Row("all show alice active", "Board", "all show zorro", '"zorro"'),
    ],
    "showas": [Row("showas alice secret {n}", "superbo Board {n}", "showas alice secret 99999", ELSEWHERE)],
    "games": [Row("superbo games alice all", "{n}", "games zorro", '"zorro"')],
    "chat": [Row("chat {n} alice secret", "superbo chat {n} alice", "chat 99999 alice secret", ELSEWHERE)],
    "export": [Row("export {n}", "Record", "export 99999", ELSEWHERE)],
    "mailed": [Row("mailed {n} alice secret", "{n}", "carol: mailed {n} carol secret", NOT_THERE)],
    "resend": [
        Row("resend {n} alice secret", "New superbo Board {n} alice", "carol: resend {n} carol secret", NOT_THERE)
    ],
    # Challenges, ratings
    "limit": [
        Row("carol: superbo limit carol secret 5", "5", "superbo limit alice secret many", "is not a number of boards"),
        Row("carol: superbo limit carol secret", "superbo Limit", "limit alice secret 5", "the name of a game"),
    ],
    "seek": [
        Row("superbo seek alice secret 2 -single -pace=3", "seek", "superbo seek alice secret -nonsense", "-nonsense"),
        Row("seek", "pbem seeks", "seek 2", 'before "seek"'),
        Row("superbo seek alice secret 0", "Seeks", "superbo seek alice secret lots", "does not work as a number"),
    ],
    "standings": [
        Row("superbo standings", "superbo Standings", "superbo standings bob cat", "before word 4"),
        Row("mambo standings mambogo", "mambo mambogo Standings", "mambo standings bob", "not a variant of Mambo"),
    ],
    "analyse": [
        Row(
            "superbo analyse {n} alice secret",
            "superbo Board {n} Analysis",
            "analyse 99999 alice secret",
            ELSEWHERE,
            OVER_OTHERWISE,
        ),
        Row(
            "carol: analyze {n}#1 carol secret",
            "superbo Board {n} Analysis",
            "analyse {n}#9 alice secret",
            "no move 9",
            OVER,
        ),
    ],
    "hint": [
        Row(
            "bob: hint {n} bob secret",
            "superbo Board {n} Hint",
            "superbo hint 99999 alice secret",
            ELSEWHERE,
            challenge="bob: superbo challenge bob bob",
        ),
    ],
    "puzzle": [
        Row("mambo puzzle", "to move and wins", "mamba puzzle", "no puzzles of mamba"),
        Row("puzzle show 1", "pbem puzzle 1", "puzzle show 99999", "no puzzle 99999"),
        Row("puzzle answer 1 BC5,BD10", "Well done", "puzzle answer 1 zz99", "no space ZZ"),
    ],
    "again": [
        Row("superbo again {n}", "New superbo Board", "again 99999", ELSEWHERE, OVER),
        Row("bob: again {n}", "New superbo Board", "carol: again {n}", NOT_THERE, OVER),
    ],
    "robot": [Row("superbo robot", "superbo Robots", "superbo robot bob", "before word 3")],
    "ratings": [Row("superbo ratings", "superbo Standings", "poker ratings", '"poker"')],
    "history": [Row("superbo history alice", "alice", "superbo history zorro", '"zorro"')],
    # Watching
    "subscribe": [
        Row("carol: subscribe {n} carol secret", "{n}", "carol: subscribe carol secret 99999", ELSEWHERE),
        Row("carol: subscribe to alice", "alice", "carol: subscribe to zorro", "zorro"),
        Row("carol: superbo subscribe all carol secret", "superbo", "subscribe", "what you mean"),
    ],
    "unsubscribe": [
        Row("unsubscribe {n} alice secret", "{n}", "unsubscribe 99999 alice secret", ELSEWHERE),
        Row(
            "carol: superbo unsub carol secret all",
            "watches",
            "unsub",
            "what you mean",
            ("carol: superbo subscribe all carol secret",),
        ),
    ],
    "notify": [Row("carol: notify carol secret {n}", "{n}", "notify alice secret 99999", ELSEWHERE)],
    # Tournaments
    "tournament": [
        Row(
            "superbo tournament create alice secret spring", "spring", "superbo tournament alice secret", "create, join"
        ),
        Row(
            "superbo tournament join alice secret summer",
            "summer",
            "superbo tournament join alice secret nowhere",
            "nowhere",
            ("superbo tournament create alice secret summer",),
        ),
        Row(
            "superbo tournament withdraw alice secret autumn",
            "autumn",
            "superbo tournament withdraw alice secret autumn",
            "autumn",
            ("superbo tournament create alice secret autumn", "superbo tournament join alice secret autumn"),
        ),
        Row(
            "superbo tournament start alice secret winter",
            "winter",
            "superbo tournament start alice secret winter",
            "winter",
            (
                "superbo tournament create alice secret winter",
                "superbo tournament join alice secret winter",
                "bob: superbo tournament join bob secret winter",
            ),
        ),
        Row("superbo tournament show", "superbo Tournaments", "superbo tournament show nowhere", "nowhere"),
    ],
}
"""The commands as the language has them, with their other names."""


def every_row() -> list[tuple[str, Row]]:
    """The rows of the table, each with its verb."""
    return [(verb, row) for verb, rows in TABLE.items() for row in rows]
