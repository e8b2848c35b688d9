"""Finished boards at which a player held two seats are put on the lists of those who sat behind them, too."""

from __future__ import annotations

from alembic import op

revision = "0021"
down_revision = "0018"


def upgrade() -> None:
    op.execute(
        """
        UPDATE seats SET finished_at = (SELECT boards.finished_at FROM boards WHERE boards.number = seats.board_number)
        WHERE seats.finished_at IS NULL AND NOT seats.active AND NOT EXISTS (
            SELECT 1 FROM seats AS other WHERE other.board_number = seats.board_number
                AND other.player_id = seats.player_id AND other.seat < seats.seat)
        """
    )


def downgrade() -> None:
    """Leave the seats as they are: every version reads them so."""
