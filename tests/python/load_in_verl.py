"""Has verl and Agent Lightning make their training data of exported samples, and prints what came of it as JSON.

    python load_in_verl.py VERL.jsonl AGENT_LIGHTNING.jsonl

Needs verl and agentlightning with all that they import: PyTorch, Ray, TensorDict, transformers. The files are those of
`vf export RUN --to verl` and `--to agent-lightning`.
"""

import json
import sys
from pathlib import Path

import torch
from agentlightning.verl.agl_rollout_manager import CompletedRollout
from agentlightning.verl.rollout_adapter import RolloutAdapter
from verl.experimental.agent_loop.agent_loop import AgentLoopOutput

verl_rows, lightning_rows = (
    [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()] for path in sys.argv[1:]
)


def same_in_verl(row: dict) -> bool:
    made = AgentLoopOutput.model_validate(row).as_dict()
    logprobs = row.get("response_logprobs")
    return (
        made["prompts"].tolist() == row["prompt_ids"]
        and made["responses"].tolist() == row["response_ids"]
        and made["response_mask"].tolist() == row["response_mask"]
        and (logprobs is None or torch.equal(made["rollout_log_probs"], torch.tensor(logprobs)))
        and made["extra_fields"] == row["extra_fields"]
    )


def batch_of(level: str) -> dict:
    """A batch for verl's trainer, made of the rollouts by the adapter of Agent Lightning."""
    triplets = [triplet for row in lightning_rows for triplet in row["triplets"]]
    adapter = RolloutAdapter(
        max_prompt_length=max(len(triplet["prompt"]["token_ids"]) for triplet in triplets),
        max_response_length=sum(len(t["prompt"]["token_ids"]) + len(t["response"]["token_ids"]) for t in triplets),
        device=torch.device("cpu"),
        pad_token_id=0,
        trace_aggregator_level=level,
    )
    made, metrics = adapter.get_train_data_batch([CompletedRollout.model_validate(row) for row in lightning_rows])
    batch = made.batch
    length = batch["prompts"].shape[1]
    on = batch["attention_mask"][:, length:].bool()
    trained = batch["response_mask"].bool() if level == "trajectory" else on
    sampled = [t["response"]["token_ids"] for t in triplets]
    return {
        "samples": metrics["training/n_sample"],
        "unmerged": metrics.get("training/n_unmerged_rollouts", 0),
        "trains_all": sorted(batch["responses"][trained].tolist()) == sorted(i for ids in sampled for i in ids),
        "has_logprobs": "rollout_log_probs" in batch.keys(),
        "rewards": [round(value, 3) for value in batch["token_level_scores"].sum(dim=1).float().tolist()],
    }


print(
    json.dumps(
        {
            "verl": [same_in_verl(row) for row in verl_rows],
            "transition": batch_of("transition"),
            "trajectory": batch_of("trajectory"),
        }
    )
)
