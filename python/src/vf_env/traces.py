"""Traces that vf wrote, as verifiers reads them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from verifiers.v1 import WireEpisode


def load_episodes(path: str | Path) -> Iterator[WireEpisode]:
    """Yield the episodes of a run folder or of one `traces.jsonl`, oldest first.

    Raises `pydantic.ValidationError` for a line that is no episode.
    """
    path = Path(path)
    file = path / "traces.jsonl" if path.is_dir() else path
    with file.open("rb") as lines:
        for line in lines:
            if line.strip():
                yield WireEpisode.model_validate_json(line)
