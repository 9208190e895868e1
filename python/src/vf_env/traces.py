"""Traces that vf wrote, as verifiers reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pydantic

from verifiers.v1 import WireEpisode
from verifiers.v1.episode import Episode
from verifiers.v1.trace import Trace

from vf_env.token_rules import DamagedTraceError, check_episode


def load_episodes(path: str | Path) -> Iterator[WireEpisode]:
    """Yield the episodes of a run folder or of one `traces.jsonl`, oldest first.

    A last line that is still being written, or that a killed run left half-written, is no episode yet.
    Raises `pydantic.ValidationError` for any other line that is none, and `DamagedTraceError` for one whose tokens do not fit.
    """
    path = Path(path)
    file = path / "traces.jsonl" if path.is_dir() else path
    with file.open("rb") as lines:
        for line in lines:
            if not line.strip():
                continue
            try:
                episode = WireEpisode.model_validate_json(line)
            except pydantic.ValidationError:
                if line.endswith(b"\n"):
                    raise
                return
            except OverflowError as error:
                raise DamagedTraceError(f"token_ids: holds what is no token id: {error}") from error
            check_episode(episode)
            yield episode


def reward_of(trace: Trace[Any, Any, Any]) -> float | None:
    """The trace's reward, or None where it has none: `Trace.reward` of verifiers is 0.0 then, as for a wrong answer."""
    scored = [reward.value for reward in trace.rewards.values() if reward is not None]
    return sum(scored) if trace.ok and scored else None


def scored_traces(episodes: Iterable[Episode[Any, Any, Any]]) -> Iterator[Trace[Any, Any, Any]]:
    """Yield the traces whose reward is one: of episodes that are ok, ok themselves, and scored."""
    for episode in episodes:
        if episode.ok:
            yield from (trace for trace in episode.traces if reward_of(trace) is not None)
