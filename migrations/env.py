"""Run by Alembic; `pbem.storage.schema` hands it the connection."""

from __future__ import annotations

from alembic import context

from pbem.storage.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
