"""Reads packed episodes as a trainer does, from msgpack with the models of verifiers, and prints what they say of tokens: one
JSON list of branches for each file.

    python read_wire.py episode.msgpack [more.msgpack ...]
"""

import json
import sys

import msgpack
from verifiers.v1 import WireEpisode


def tensor(array) -> dict:
    return {"dtype": str(array.dtype), "shape": list(array.shape), "values": array.flatten().tolist()}


def branch_tokens(branch) -> dict:
    mask = branch.sampling_mask
    experts = branch.routed_experts
    return {
        "ids": [int(id) for id in branch.token_ids],
        "mask": [int(bit) for node in branch.nodes for bit in node.mask],
        "content": [int(bit) for node in branch.nodes for bit in node.is_content],
        "logprobs": [float(value) for node in branch.nodes for value in node.logprobs],
        "advantages": [None if node.advantages is None else list(map(float, node.advantages)) for node in branch.nodes],
        "experts": None if experts is None else tensor(experts),
        "sampling": None if mask is None else [tensor(mask.ids), tensor(mask.counts)],
    }


def load(path: str) -> list[dict]:
    with open(path, "rb") as file:
        episode = WireEpisode.model_validate(msgpack.unpackb(file.read(), strict_map_key=False))
    return [branch_tokens(branch) for trace in episode.traces for branch in trace.branches]


def again(path: str) -> None:
    """Writes the episode as its own program packs it, for us to read."""
    with open(path, "rb") as file:
        episode = WireEpisode.model_validate(msgpack.unpackb(file.read(), strict_map_key=False))
    with open(f"{path}.again", "wb") as file:
        file.write(msgpack.packb(episode.model_dump(mode="python", exclude_none=True), use_bin_type=True))


if __name__ == "__main__":
    for path in sys.argv[1:]:
        again(path)
    json.dump([load(path) for path in sys.argv[1:]], sys.stdout)
