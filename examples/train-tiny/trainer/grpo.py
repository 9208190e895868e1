"""The clipped surrogate of GRPO (Shao et al. 2024), without a KL term."""

from __future__ import annotations

import torch
from transformers import LlamaForCausalLM

from policy import Row, by_prompt, completion_logprobs

CLIP = 0.2


def backward(policy: LlamaForCausalLM, rows: list[Row]) -> tuple[float, list[list[float]]]:
    """Add the gradient of the loss over all rows; give the loss and the logprobs of the same forward pass, by row."""
    loss = 0.0
    logprobs: list[list[float]] = [[] for _ in rows]
    for places in by_prompt(rows):
        group = [rows[at] for at in places]
        current = completion_logprobs(policy, group)
        total = torch.stack([row_loss(row, now) for row, now in zip(group, current, strict=True)]).sum()
        total.backward()
        loss += total.item()
        for at, now in zip(places, current, strict=True):
            logprobs[at] = now.tolist()
    return loss, logprobs


def row_loss(row: Row, current: torch.Tensor) -> torch.Tensor:
    """Minus the clipped gain of the trained tokens; a token whose mask is 0 has no part in it."""
    trained = torch.tensor(row.mask, dtype=torch.bool)
    ratio = torch.exp(current - torch.tensor(row.logprobs))[trained]
    gain = torch.minimum(ratio * row.advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * row.advantage)
    return -gain.sum()
