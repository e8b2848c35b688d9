"""One game with nearly all that can happen on the way: a queue, an undo, a refused draw, a vacation, a forfeit."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from pathlib import Path

from tests.conversations.playing import begin
from tests.support.in_process import in_process_server

DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def test_a_long_game(tmp_path: Path) -> None:
    with in_process_server(tmp_path, timedelta(0), clock_seconds="1") as server:
        table = begin(server, "ann", "ben")
        watcher = server.player("will")
        watcher.says(f"subscribe {table.number} will secret")
        watcher.hears()

        # ann begins, ben answers and queues the next move
        table.play("b3", "c4,k5")
        watcher.hears(), watcher.hears()
        table.other.says(f"queue {table.number} ben secret a1,j12")
        queued = table.other.hears()
        assert "a1,j12" in queued.text
        assert table.one.hears_nothing()
        drawn_before = table.one_mail.text

        # ann moves; the queued move is not legal, so ben alone is told
        table.one.answers(table.one_mail, "a1,f4")
        table.hear()
        assert table.other_mail.subject == f"superbo Board {table.number} ben"
        assert "a1,j12" in table.other_mail.text
        assert "a1,j12" not in table.one_mail.text
        assert "a1,j12" not in watcher.hears().text

        # ann has seen something better, and asks to take it back
        table.one.says(f"undo {table.number} ann secret")
        table.hear()
        assert "take back" in table.other_mail.words
        watcher.hears()
        late = table.other_mail
        table.other.answers(table.other_mail, "accept")
        table.hear()
        watcher.hears()
        assert table.one_mail.subject == f"superbo Board {table.number} ann"
        drawn = table.one_mail.text.partition("  1 ")[2]
        assert drawn.splitlines()[0] == drawn_before.partition("  1 ")[2].splitlines()[0]

        # an answer to the position that is no more comes too late
        table.other.answers(late, "c4,k5")
        assert table.other.hears().subject == f"superbo Board {table.number} Error"

        # a draw is offered and refused
        table.other.says(f"superbo propose {table.number} ben secret")
        table.hear()
        watcher.hears()
        assert "draw" in table.one_mail.words
        table.one.answers(table.one_mail, "reject")
        table.hear()
        watcher.hears()
        table.play("a1,f4")
        watcher.hears()

        # ben goes on vacation, and until it ends is not reminded and does not forfeit
        back = (datetime.now(UTC) + 25 * DAY).date()
        table.other.says(f"vacation ben secret {back}")
        assert str(back.day) in table.other.hears().words
        server.passes(24 * DAY)
        assert table.other.hears_nothing()
        table.one.says(f"show {table.number}")
        assert "ben is on vacation" in table.one.hears().words

        # ben is back, and silent: a reminder says when the game is forfeited, and then it is
        runs_at = datetime.combine(back + DAY, time.min, UTC)
        server.passes(runs_at + 7 * DAY + HOUR - datetime.now(UTC))
        nag = table.other.hears()
        assert nag.subject == f"Nag: superbo Board {table.number} ben"
        ends_at = runs_at + 21 * DAY - timedelta(minutes=1)  # ben was waited for a moment before the vacation
        assert f"by {ends_at:%a %-d %b %Y, %H:%M} UTC, you forfeit" in nag.words
        server.passes(ends_at + timedelta(minutes=5) - datetime.now(UTC))
        table.hear()
        watcher.hears()
        for mail in (table.one_mail, table.other_mail):
            assert mail.subject == f"superbo Board {table.number}"
        assert "You won! ben ran out of time and forfeited the game." in table.one_mail.words
        assert "Your rating is 1800 (provisional). ben's rating is 1400 (provisional)." in table.one_mail.words
        assert "ann won. You ran out of time and forfeited the game." in table.other_mail.words
        assert "Your rating is 1400 (provisional). ann's rating is 1800 (provisional)." in table.other_mail.words
