"""What vf holds the tokens of a trace to and verifiers' models do not: without it, training on them goes wrong unseen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from verifiers.v1.episode import Episode
from verifiers.v1.graph import MessageNode

_LARGEST_ID = 2**31 - 1


class DamagedTraceError(ValueError):
    """A trace that verifiers' models take, and that nobody can train on: its message says where and why."""


def check_episode(episode: Episode[Any, Any, Any]) -> None:
    """Raise `DamagedTraceError` for parents that do not precede their children, and for token columns that do not fit.

    `Trace.branches` of verifiers goes round for ever among parents that do not.
    """
    for at, trace in enumerate(episode.traces):
        for index, node in enumerate(trace.nodes):
            reason = _fault(node, index)
            if reason is not None:
                raise DamagedTraceError(f"traces[{at}].nodes[{index}].{reason}")


def _fault(node: MessageNode, index: int) -> str | None:
    if node.parent is not None and not 0 <= node.parent < index:
        return f"parent: {node.parent} does not precede the node"
    ids, mask = node.token_ids, node.mask
    if ids and not (min(ids) >= 0 and max(ids) <= _LARGEST_ID):
        return "token_ids: holds what is no token id"
    if len(mask) != len(ids):
        return f"mask: has {len(mask)} entries for {len(ids)} tokens"
    sampled = sum(mask)
    if sampled and not node.sampled:
        return "mask: has sampled tokens on a node that was not sampled"
    if sampled and not all(mask[len(mask) - sampled :]):
        return "mask: has an unsampled token after a sampled one"
    if node.is_content and len(node.is_content) != len(ids):
        return f"is_content: has {len(node.is_content)} entries for {len(ids)} tokens"
    return _number_fault(node, sampled)


def _number_fault(node: MessageNode, sampled: int) -> str | None:
    logprobs = node.logprobs
    if logprobs and len(logprobs) != sampled:
        return f"logprobs: has {len(logprobs)} entries for {sampled} sampled tokens"
    if not all(value <= 0 and math.isfinite(value) for value in logprobs):
        return "logprobs: must be finite and at most 0"
    for name, values in _per_sampled(node):
        if values is not None and len(values) != sampled:
            return f"{name}: has {len(values)} entries for {sampled} sampled tokens"
    for name, weights in (node.loss_weights or {}).items():
        if len(weights) != len(node.token_ids):
            return f"loss_weights.{name}: has {len(weights)} entries for {len(node.token_ids)} tokens"
    return None


def _per_sampled(node: MessageNode) -> Sequence[tuple[str, list[float] | None]]:
    return (
        ("advantages", node.advantages),
        ("reference_logprobs", node.reference_logprobs),
        ("trainer_logprobs", node.trainer_logprobs),
        ("entropies", node.entropies),
    )
