"""Has TRL's own GRPOTrainer make one update from samples that `vf export RUN --to trl` wrote, and prints JSON.

    python load_in_trl.py SAMPLES.jsonl

Needs trl, transformers, datasets and PyTorch. The model is a tiny one with random weights: what is shown is that the
rows go in as they are and reach the loss as they are, with no hand in between.
"""

import json
import sys
import tempfile
from pathlib import Path

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

rows = [json.loads(line) for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]
vocabulary = 1 + max(max(row["prompt_ids"] + row["completion_ids"]) for row in rows)
words = {"<pad>": vocabulary, **{f"t{i}": i for i in range(vocabulary)}}
tokenizer = PreTrainedTokenizerFast(
    tokenizer_object=Tokenizer(models.WordLevel(words, unk_token="t0")), pad_token="<pad>", eos_token="t0"
)
torch.manual_seed(0)
size = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
model = LlamaForCausalLM(LlamaConfig(vocab_size=len(words), max_position_embeddings=131_072, **size))

seen: list[dict] = []


def rollout_func(prompts, _trainer) -> dict:
    """The rows, column by column: keys that TRL does not know reach the reward function."""
    assert len(prompts) == len(rows)
    return {key: [row.get(key) for row in rows] for key in rows[0]}


def reward_of(*, reward, origins=None, **_rest) -> list[float]:
    seen.append({"rewards": reward, "origins": origins})
    return reward


class Trainer(GRPOTrainer):
    def _generate_and_score_completions(self, inputs):
        made = super()._generate_and_score_completions(inputs)
        self.batch = {key: value.tolist() for key, value in made.items() if isinstance(value, torch.Tensor)}
        return made


def without_padding(batch: dict, ids: str, mask: str) -> list[list[int]]:
    return [[i for i, set_ in zip(*pair, strict=True) if set_] for pair in zip(batch[ids], batch[mask], strict=True)]


with tempfile.TemporaryDirectory() as place:
    trainer = Trainer(
        model=model,
        args=GRPOConfig(
            output_dir=place,
            per_device_train_batch_size=len(rows),
            num_generations=len(rows),
            max_steps=1,
            learning_rate=1e-3,
            use_cpu=True,
            bf16=False,
            report_to=[],
            save_strategy="no",
            gradient_checkpointing=False,
            scale_rewards="none",
            disable_tqdm=True,
        ),
        train_dataset=Dataset.from_list([{"prompt": "t0"}]),
        processing_class=tokenizer,
        reward_funcs=reward_of,
        rollout_func=rollout_func,
    )
    before = [parameter.detach().clone() for parameter in model.parameters()]
    trainer.train()

batch = trainer.batch
masks = [[m for m, on in zip(*pair, strict=True) if on] for pair in zip(batch["tool_mask"], batch["completion_mask"], strict=True)]
print(
    json.dumps(
        {
            "rows": len(rows),
            "prompts": without_padding(batch, "prompt_ids", "prompt_mask") == [row["prompt_ids"] for row in rows],
            "completions": without_padding(batch, "completion_ids", "completion_mask")
            == [row["completion_ids"] for row in rows],
            "masks": masks == [row["env_mask"] for row in rows],
            "rewards": seen[0]["rewards"] == [row["reward"] for row in rows],
            "origins": seen[0]["origins"],
            "advantages": [round(value, 4) for value in batch["advantages"]],
            "moved": any(not torch.equal(old, new) for old, new in zip(before, model.parameters(), strict=True)),
            "keys": sorted(batch),
        }
    )
)
