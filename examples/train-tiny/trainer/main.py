"""Trains for as long as stdin is open: a request a line, an answer a line, both JSON.

{"do": "save", "path": FILE}   writes the weights as GGUF
{"do": "score", "rows": ROWS}  gives `logprobs` of every completion id, and learns nothing
{"do": "learn", "rows": ROWS}  adds a gradient, gives `loss` and `logprobs`; the weights stay as they are
{"do": "step"}                 moves the weights along the gradient, gives its norm

Between "learn" and "step" the caller can compare the logprobs with the engine's, and stop.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import torch

from gguf_weights import read_gguf, write_gguf
from grpo import backward
from policy import Row, by_prompt, completion_logprobs, weights_file

GRADIENT_NORM = 1.0


class Trainer:
    """A policy and its optimizer."""

    def __init__(self, learning_rate: float) -> None:
        self.policy = read_gguf(weights_file())
        self.optimizer = torch.optim.AdamW(
            self.policy.parameters(), lr=learning_rate, betas=(0.9, 0.95), weight_decay=0.0
        )

    def save(self, request: dict[str, Any]) -> dict[str, Any]:
        path = Path(request["path"])
        write_gguf(self.policy, weights_file(), path)
        with path.open("rb") as file:
            return {"sha256": hashlib.file_digest(file, "sha256").hexdigest()}

    def score(self, request: dict[str, Any]) -> dict[str, Any]:
        rows = rows_of(request)
        logprobs: list[list[float]] = [[] for _ in rows]
        with torch.no_grad():
            for places in by_prompt(rows):
                group = [rows[at] for at in places]
                for at, now in zip(places, completion_logprobs(self.policy, group), strict=True):
                    logprobs[at] = now.tolist()
        return {"logprobs": logprobs}

    def learn(self, request: dict[str, Any]) -> dict[str, Any]:
        self.optimizer.zero_grad()
        loss, logprobs = backward(self.policy, rows_of(request))
        return {"loss": loss, "logprobs": logprobs}

    def step(self, _request: dict[str, Any]) -> dict[str, Any]:
        norm = torch.nn.utils.clip_grad_norm_(self.policy.parameters(), GRADIENT_NORM)
        self.optimizer.step()
        return {"norm": norm.item()}


def rows_of(request: dict[str, Any]) -> list[Row]:
    return [Row(**row) for row in request["rows"]]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--learning-rate", type=float, required=True)
    options.add_argument("--threads", type=int, required=True)
    args = options.parse_args()
    # Another number of threads adds up in another order.
    torch.set_num_threads(args.threads)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(0)
    # Libraries print to stdout; the answers go out on a copy that only they have.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    trainer = Trainer(args.learning_rate)
    does = {"save": trainer.save, "score": trainer.score, "learn": trainer.learn, "step": trainer.step}
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(does[request["do"]](request)), file=answers)


if __name__ == "__main__":
    main()
