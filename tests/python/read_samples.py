"""Gives the samples in a folder to the trainers' own code, and prints what it makes of them as JSON.

    python read_samples.py FOLDER PEERS

FOLDER holds agent-lightning.jsonl, verl.jsonl and trl.jsonl; PEERS is where the packages of the trainers lie. They bring
PyTorch and Ray with them, so that only what describes a sample is taken: `CompletedRollout` of Agent Lightning is
imported; `AgentLoopOutput` of verl is run by itself, as its module has it; of TRL's GRPOTrainer it is read which keys
its `rollout_func` must give, and which one it takes as the mask.
"""

import ast
import json
import sys
from pathlib import Path
from typing import Any, Optional

from pydantic import BaseModel

folder, peers = map(Path, sys.argv[1:])
sys.path.insert(0, str(peers))

from agentlightning.verl.agl_rollout_manager import CompletedRollout  # noqa: E402


def tree_of(module: str) -> ast.Module:
    return ast.parse(peers.joinpath(*module.split(".")).with_suffix(".py").read_text(encoding="utf-8"))


def classes_of(module: str, *names: str) -> dict[str, type[BaseModel]]:
    body = [node for node in tree_of(module).body if isinstance(node, ast.ClassDef) and node.name in names]
    scope: dict = {"BaseModel": BaseModel, "Optional": Optional, "Any": Any}
    exec(compile(ast.Module(body=body, type_ignores=[]), module, "exec"), scope)
    return {name: scope[name] for name in names}


def rows_of(name: str) -> list[dict]:
    return [json.loads(line) for line in folder.joinpath(f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def taken(model: type[BaseModel], row: dict) -> bool:
    """Does the model hold all of the row, and nothing of another type? What it does not know it would drop."""
    return model.model_validate(row).model_dump(mode="json", exclude_unset=True) == row


def trl_keys() -> dict:
    tree = tree_of("trl.trainer.grpo_trainer")
    required = next(
        ast.literal_eval(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "required_keys"
    )
    masks = [
        ast.literal_eval(node.args[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "extra_fields.pop"
    ]
    return {"required": sorted(required), "masks": masks}


verl = classes_of("verl.experimental.agent_loop.agent_loop", "AgentLoopMetrics", "AgentLoopOutput")
print(
    json.dumps(
        {
            "agent_lightning": [taken(CompletedRollout, row) for row in rows_of("agent-lightning")],
            "verl": [taken(verl["AgentLoopOutput"], row) for row in rows_of("verl")],
            "trl": {"keys": trl_keys(), "rows": [sorted(row) for row in rows_of("trl")]},
        }
    )
)
