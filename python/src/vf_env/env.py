"""The environment that leaves playing and scoring to a vf server."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import verifiers.v1 as vf
from verifiers.v1.clients import ModelContext
from verifiers.v1.envs.single_agent import SingleAgentEnv
from verifiers.v1.episode import Episode
from verifiers.v1.serve import EnvClient
from verifiers.v1.trace import Trace

from vf_env.server import VfServerError
from vf_env.taskset import VfTaskset, server_for


class VfEnv(SingleAgentEnv):
    """Each episode is one request to the server; agents, harness and runtime are those of the server's config."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A connection belongs to the event loop that opened it; threads have loops of their own.
        self._held: list[tuple[asyncio.AbstractEventLoop, EnvClient]] = []

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Hold a connection for the running event loop, until left; nothing of verifiers' own serving is needed.

        It may be entered again while it is held, and in several threads.
        """
        taskset = self.taskset
        if not isinstance(taskset, VfTaskset):
            raise VfServerError(f"VfEnv plays the taskset vf-env, not {taskset.config.id}")
        client = EnvClient(server_for(taskset.config).address)
        try:
            await client.wait_for_server_startup(timeout=taskset.config.startup_timeout)
            held = (asyncio.get_running_loop(), client)
            self._held.append(held)
            try:
                yield
            finally:
                self._held.remove(held)
        finally:
            await client.close()

    async def run_episode(
        self,
        task: vf.Task[Any, Any, Any],
        ctx: ModelContext,
        *,
        on_trace: Callable[[Trace[Any, Any, Any]], None] | None = None,
        on_discard: Callable[[Trace[Any, Any, Any]], None] | None = None,
    ) -> Episode[Any, Any, Any]:
        """Play `task` on the server and return what it recorded."""
        here = asyncio.get_running_loop()
        client = next((one for loop, one in reversed(list(self._held)) if loop is here), None)
        if client is None:
            raise VfServerError("an episode is played inside `serving()`, in the event loop that entered it")
        episode: Episode[Any, Any, Any] = await client.run(
            ctx.client, ctx.model, ctx.sampling, task.data.model_dump(mode="json")
        )
        if on_trace is not None:
            for trace in episode.traces:
                on_trace(trace)
        return episode
