"""The environment that leaves playing and scoring to a vf server."""

from __future__ import annotations

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

    _clients: tuple[EnvClient, ...] = ()

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Hold a connection; nothing of verifiers' own serving is needed. May be held several times over, each for itself."""
        taskset = self.taskset
        if not isinstance(taskset, VfTaskset):
            raise VfServerError(f"VfEnv plays the taskset vf-env, not {taskset.config.id}")
        client = EnvClient(server_for(taskset.config).address)
        try:
            await client.wait_for_server_startup(timeout=taskset.config.startup_timeout)
            self._clients = (*self._clients, client)
            yield
        finally:
            self._clients = tuple(held for held in self._clients if held is not client)
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
        if not self._clients:
            raise VfServerError("an episode is played inside `serving()`")
        episode: Episode[Any, Any, Any] = await self._clients[-1].run(
            ctx.client, ctx.model, ctx.sampling, task.data.model_dump(mode="json")
        )
        if on_trace is not None:
            for trace in episode.traces:
                on_trace(trace)
        return episode
