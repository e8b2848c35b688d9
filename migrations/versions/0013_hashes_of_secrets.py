"""Call the stored form of a secret a hash, since a digest is the daily mail to players."""

from __future__ import annotations

from alembic import op

revision = "0013"
down_revision = "0012"

_TABLES = ("sessions", "operator_keys", "tokens")


def upgrade() -> None:
    _rename("digest", "secret_hash")


def downgrade() -> None:
    _rename("secret_hash", "digest")


def _rename(before: str, after: str) -> None:
    # SQLite mends what refers to the column by itself; alembic would make each table anew
    for table in _TABLES:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {before} TO {after}")
