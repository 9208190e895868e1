"""Asks a vf server for a group of rollouts to train on, as prime-rl does with the client of verifiers; prints JSON.

    python train_server.py ADDRESS ENGINE_URL MODEL

prime-rl is on no package index, so that its calls are written down here, those of its commit 559b447 (2026-08-21):
`Env.start`, `Env.run` and `Env._sampling` of src/prime_rl/orchestrator/envs.py, `schedule_group_episode`,
`_validate_episode_task` and `emit_episode` of dispatcher.py beside it, `setup_client` of src/prime_rl/utils/client.py,
`to_sampling_args` of the train sampling, and `iter_trainable_traces` of orchestrator/algo/base.py.
"""

import asyncio
import json
import math
import sys
import urllib.request
import uuid

from renderers import Qwen3RendererConfig
from verifiers.v1 import SamplingConfig
from verifiers.v1.configs.client import TrainClientConfig
from verifiers.v1.episode import GroupInfo, PolicySpan, TrainRunInfo, TrainWorkInfo
from verifiers.v1.serve import EnvClient
from verifiers.v1.task import Task, WireTaskData

GROUP = 4


def engine_ids(url: str, messages: list[dict]) -> list[int]:
    """What the engine itself makes of a conversation."""

    def ask(path: str, body: dict) -> dict:
        request = urllib.request.Request(url + path, json.dumps(body).encode(), {"content-type": "application/json"})
        with urllib.request.urlopen(request) as reply:
            return json.load(reply)

    text = ask("/apply-template", {"messages": messages})["prompt"]
    return ask("/tokenize", {"content": text, "parse_special": True})["tokens"]


def graph_errors(trace) -> list[str]:
    """What the models of verifiers accept and a trainer trips over."""
    errors = []
    for i, node in enumerate(trace.nodes):
        sampled = sum(node.mask)
        if node.parent is not None and not 0 <= node.parent < i:
            errors.append(f"nodes[{i}].parent")
        if not len(node.mask) == len(node.token_ids) == len(node.is_content):
            errors.append(f"nodes[{i}].mask")
        if sampled and not node.sampled:
            errors.append(f"nodes[{i}].sampled")
        if len(node.logprobs) != sampled or not all(math.isfinite(p) and p <= 0 for p in node.logprobs):
            errors.append(f"nodes[{i}].logprobs")
    for i, call in enumerate(trace.calls):
        if call.node is None or not trace.nodes[call.node].sampled or call.error is not None:
            errors.append(f"calls[{i}]")
    return errors


def facts(episode, task, url: str) -> dict:
    trace = episode.traces[0]
    if failed := [call.error for call in trace.calls if call.error is not None]:
        raise RuntimeError(f"a call failed: {failed}")
    (branch,) = trace.branches
    ids, prompt = list(branch.token_ids), list(branch.sampled_mask).index(True)
    return {
        "ok": episode.ok,
        "errors": graph_errors(trace),
        "same_task": (episode.task.key, episode.task.hash) == (task.key, task.hash),
        "turns": trace.num_turns,
        "sampled": [int(sum(node.mask)) for node in trace.nodes if node.sampled],
        "reported": [call.usage.completion_tokens for call in trace.calls],
        "certain": all(bool(p == 0) for node in trace.nodes for p in node.logprobs),
        "engines_prompt": ids[:prompt] == engine_ids(url, [{"role": "user", "content": task.data.prompt}]),
        "trainable": not trace.has_error and trace.agent.trainable and any(any(node.mask) for node in trace.nodes),
        "temperature": trace.agent.config.sampling.temperature,
        "rewards": sorted(trace.rewards),
        "origins": trace.info["vf"]["token_origins"],
    }


async def main(address: str, url: str, model: str) -> None:
    client = EnvClient(address)
    await client.wait_for_server_startup(timeout=60)
    task = Task(WireTaskData(idx=0, prompt="What is 1 + 1?", answer=2))
    sampling = SamplingConfig(
        temperature=0.5,
        top_p=1.0,
        logprobs=True,
        max_completion_tokens=12,
        extra_body={"seed": 3, "cache_salt": "3"},
    )

    async def run(**changes):
        given = {"base_url": f"{url}/v1", "api_key_var": "VF_TEST_NO_KEY", "headers": {}, "renderer": None}
        endpoint = TrainClientConfig(**{**given, "renderer_model_name": model, **changes})
        return await client.run(
            task_data=task.data.model_dump(mode="json"), client=endpoint, model=model, sampling=sampling
        )

    async def refusal(**changes) -> str:
        try:
            await run(**changes)
        except RuntimeError as error:
            return str(error)
        return "none"

    episodes = await asyncio.gather(*[run() for _ in range(GROUP)])
    group = GroupInfo(id=uuid.uuid4().hex)
    for episode in episodes:
        episode.env.name = "sums"
        episode.group = group
        episode.record_run(TrainRunInfo(id="run", work=TrainWorkInfo(step=3, policy=PolicySpan(start=3, end=4))))
    result = {
        "group": [facts(episode, task, url) for episode in episodes],
        "stamped": all(type(one).model_validate(one.model_dump()).group == group for one in episodes),
        "foreign": await refusal(renderer=Qwen3RendererConfig()),
        "nowhere": (await run(base_url="http://127.0.0.1:9/v1")).traces[0].errors[-1].type,
    }
    await client.close()
    print(json.dumps(result))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
