"""What vf holds the tokens of a trace to and verifiers' models do not: without it, training on them goes wrong unseen."""

from __future__ import annotations

from typing import Any

import numpy as np

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
    # Lists in verifiers 0.4.0, arrays from 0.4.1 on.
    ids, mask = np.asarray(node.token_ids), np.asarray(node.mask, dtype=bool)
    if ids.size and not (ids.min() >= 0 and ids.max() <= _LARGEST_ID):
        return "token_ids: holds what is no token id"
    if mask.size != ids.size:
        return f"mask: has {mask.size} entries for {ids.size} tokens"
    sampled = int(mask.sum())
    if sampled and not node.sampled:
        return "mask: has sampled tokens on a node that was not sampled"
    if not mask[mask.size - sampled :].all():
        return "mask: has an unsampled token after a sampled one"
    if len(node.is_content) not in (0, ids.size):
        return f"is_content: has {len(node.is_content)} entries for {ids.size} tokens"
    return _number_fault(node, ids.size, sampled)


def _number_fault(node: MessageNode, tokens: int, sampled: int) -> str | None:
    logprobs = np.asarray(node.logprobs, dtype=float)
    if logprobs.size not in (0, sampled):
        return f"logprobs: has {logprobs.size} entries for {sampled} sampled tokens"
    if not ((logprobs <= 0) & np.isfinite(logprobs)).all():
        return "logprobs: must be finite and at most 0"
    for name in ("advantages", "reference_logprobs", "trainer_logprobs", "entropies"):
        values = getattr(node, name)
        if values is not None and len(values) != sampled:
            return f"{name}: has {len(values)} entries for {sampled} sampled tokens"
    for name, weights in (node.loss_weights or {}).items():
        if len(weights) != tokens:
            return f"loss_weights.{name}: has {len(weights)} entries for {tokens} tokens"
    return None
