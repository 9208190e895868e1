"""Drives a vf server with the client of verifiers, as prime-rl does, and prints what came of it as JSON.

    python env_server.py ADDRESS MODEL_URL ENV_CONFIG_JSON
"""

import asyncio
import contextlib
import json
import sys
from importlib.resources import files

from verifiers.v1 import SamplingConfig
from verifiers.v1.clients import ModelContext
from verifiers.v1.configs.client import EvalClientConfig
from verifiers.v1.serve import EnvClient
from verifiers.v1.task import Task, WireTaskData
from verifiers.v1.utils.loaders import load_environment, resolve_env_config

awkward = WireTaskData(
    idx=0,
    prompt="é 😀 \x7f",
    answer=1.0,
    note=None,
    weights=[1e-07, 1e16, 0.1, -0.0, True],
    more={"z": 1, "a": None, "\ue000": 2**60, "😀": "x"},
)


def facts(episode, task) -> dict:
    trace = episode.traces[0]
    return {
        "ok": episode.ok,
        "same_hash": episode.task.hash == task.hash == trace.task.hash,
        "same_key": episode.task.key == task.key,
        "same_data": trace.task.data.model_dump() == WireTaskData(**task.data.model_dump()).model_dump(),
        "reward": trace.reward,
        "turns": trace.num_turns,
        "stop": trace.stop_condition,
        "roles": [[message.role for message in branch.messages] for branch in trace.branches],
        "input_tokens": trace.num_input_tokens,
    }


async def protocol(address: str, model_url: str) -> dict:
    client = EnvClient(address)
    await client.wait_for_server_startup(timeout=30)
    endpoint = EvalClientConfig(base_url=model_url, api_key_var="VF_TEST_NO_KEY")
    sampling = SamplingConfig(temperature=0.5, extra_body={"cache_salt": "7"})
    deltas: list[dict] = []

    async def run(data, on_delta=None):
        return await client.run(endpoint, "scripted", sampling, data.model_dump(mode="json"), on_delta)

    async def refusal(**request) -> str:
        try:
            await client.run(**request)
        except RuntimeError as error:
            return str(error)
        return "none"

    one = await run(awkward, deltas.append)
    many = await asyncio.gather(*[run(WireTaskData(idx=i, prompt=f"{i}", answer=i)) for i in range(60)])
    slow = asyncio.create_task(run(WireTaskData(prompt="wait", answer=0)))
    await asyncio.sleep(0.5)
    slow.cancel()
    await asyncio.gather(slow, return_exceptions=True)
    healthy = await client.health()
    wrong = await refusal(
        client=endpoint, model="scripted", sampling=sampling, task_data={"prompt": "x", "answer": "four"}
    )
    result = {
        "one": facts(one, Task(awkward)),
        "deltas": len(deltas),
        "many": sum(episode.ok for episode in many),
        "healthy": healthy,
        "wrong": wrong,
        "model": one.traces[0].agent.config.model,
        "temperature": one.traces[0].agent.config.sampling.temperature,
    }
    await client.close()
    return result


async def environment(model_url: str, config: dict) -> dict:
    env = load_environment(resolve_env_config(config))
    tasks = list(env.taskset)
    ctx = ModelContext(
        model="scripted",
        client=EvalClientConfig(base_url=model_url, api_key_var="VF_TEST_NO_KEY"),
        sampling=SamplingConfig(),
    )
    slots = [env.slots(task)[0] for task in tasks]

    async def beside():
        async with env.serving():
            return await env.run_slot(slots[0], ctx)

    async with env.serving():
        with contextlib.suppress(ZeroDivisionError):
            async with env.serving():
                1 / 0
        *episodes, other = await asyncio.gather(
            *[env.run_slot(slot, ctx) for slot in slots], asyncio.to_thread(asyncio.run, beside())
        )
    return {
        "class": type(env).__name__,
        "typed": files("vf_env").joinpath("py.typed").is_file(),
        "beside": facts(other, tasks[0]),
        "played": [facts(episode, task) for episode, task in zip(episodes, tasks, strict=True)],
    }


async def main(address: str, model_url: str, config: str) -> None:
    from vf_env import VfServer

    result = await protocol(address, model_url)
    result["environment"] = await environment(model_url, json.loads(config))
    result["joined"] = await environment(model_url, {"taskset": {"id": "vf-env", "address": address}})
    result["metrics"] = VfServer(address).metrics()
    print(json.dumps(result))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
