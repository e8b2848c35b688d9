"""Fingerprints are those of all positions that are alike by a symmetry; boards get theirs with their next move.

Until then they are looked through by their last moves.
"""

from __future__ import annotations

from alembic import op

revision = "0038"
down_revision = "0037"


def upgrade() -> None:
    op.execute("UPDATE boards SET fingerprint = NULL WHERE fingerprint IS NOT NULL")


def downgrade() -> None:
    upgrade()
