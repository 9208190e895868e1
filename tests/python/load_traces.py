"""Loads traces.jsonl files with the models of verifiers, as a trainer does, and prints what they say: one JSON list of
episodes for each file.

    python load_traces.py traces.jsonl [more.jsonl ...]
"""

import json
import sys

from verifiers.v1 import WireEpisode
from vf_env import reward_of


def summary(episode: WireEpisode) -> dict:
    return {
        "id": episode.id,
        "task": episode.task.data.key,
        "traces": [trace_summary(trace) for trace in episode.traces],
    }


def trace_summary(trace) -> dict:
    return {
        "agent": trace.agent.name,
        "ok": trace.ok,
        "reward": trace.reward,
        "score": reward_of(trace),
        "stop": trace.stop_condition,
        "turns": trace.num_turns,
        "truncated": trace.is_truncated,
        "errors": [error.type for error in trace.errors],
        "branches": [branch_summary(branch) for branch in trace.branches],
        "input_tokens": sum(call.usage.input_tokens for call in trace.calls if call.usage),
    }


def branch_summary(branch) -> dict:
    return {
        "roles": [message.role for message in branch.messages],
        "tools": [tool.name for tool in branch.tools],
        "sampled": sum(node.sampled for node in branch.nodes),
    }


def load(path: str) -> list[dict]:
    with open(path, "rb") as file:
        return [summary(WireEpisode.model_validate(json.loads(line))) for line in file if line.strip()]


if __name__ == "__main__":
    json.dump([load(path) for path in sys.argv[1:]], sys.stdout)
