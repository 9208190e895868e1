"""The clipped surrogate of GRPO (Shao et al. 2024), without a KL term."""

from __future__ import annotations

import torch
from transformers import LlamaForCausalLM

from policy import Row, completion_logprobs

CLIP = 0.2
ROWS_AT_ONCE = 16
"""Activations of 16 short rows take about 1 GB."""


def backward(policy: LlamaForCausalLM, rows: list[Row]) -> tuple[float, list[list[float]]]:
    """Add the gradient of the loss over all rows; give the loss and the logprobs of the same forward pass, by row."""
    loss = 0.0
    logprobs: list[list[float]] = []
    for start in range(0, len(rows), ROWS_AT_ONCE):
        part = rows[start : start + ROWS_AT_ONCE]
        current = completion_logprobs(policy, part)
        losses = torch.stack([row_loss(row, now) for row, now in zip(part, current, strict=True)])
        total = losses.sum()
        total.backward()
        loss += total.item()
        logprobs.extend(now.tolist() for now in current)
    return loss, logprobs


def row_loss(row: Row, current: torch.Tensor) -> torch.Tensor:
    """Minus the clipped gain of the trained tokens; a token whose mask is 0 has no part in it."""
    trained = torch.tensor(row.mask, dtype=torch.bool)
    ratio = torch.exp(current - torch.tensor(row.logprobs))[trained]
    gain = torch.minimum(ratio * row.advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * row.advantage)
    return -gain.sum()
