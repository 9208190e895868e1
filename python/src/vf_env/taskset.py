"""The tasks of a vf server as a verifiers taskset."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import verifiers.v1 as vf

from vf_env.server import DEFAULT_ADDRESS, VfServer, VfTaskRow


class VfTasksetConfig(vf.TasksetConfig):
    address: str = DEFAULT_ADDRESS
    """Of the server that is joined."""
    config: Path | None = None
    """A config file of vf: a server is started for it in place of joining one."""
    command: list[str] | None = None
    """What starts vf, e.g. ["npx", "vf"]; without it `VF_COMMAND`, else `vf`."""
    startup_timeout: float = 600.0
    """Seconds within which a started server must be ready."""


class VfData(vf.TaskData):
    vf: dict[str, Any]
    """Key and hash of the task in vf, and the fields of its row that stand nowhere else."""


class VfTask(vf.Task[VfData]):
    """A task that the server plays and scores; its identity is that of its row in vf."""

    @property
    def hash(self) -> str:
        return str(self.data.vf["hash"])

    @property
    def key(self) -> str:
        return str(self.data.vf["key"])


class VfTaskset(vf.Taskset[VfTask, VfTasksetConfig]):
    def load(self) -> Iterable[VfTask]:
        for task in server_for(self.config).tasks():
            yield VfTask(task_data(task), self.config.task)


_started: dict[tuple[str, ...], VfServer] = {}


def server_for(config: VfTasksetConfig) -> VfServer:
    """The server that a config means; started once per process when it names a config file of vf."""
    if config.config is None:
        return VfServer(config.address)
    key = (*(config.command or ()), str(config.config.resolve()))
    server = _started.get(key)
    if server is None:
        server = VfServer.start(config.config, command=config.command, timeout=config.startup_timeout)
        _started[key] = server
    return server


_lifted = {"prompt": "prompt", "systemPrompt": "system_prompt", "name": "name"}


def task_data(task: VfTaskRow) -> VfData:
    """The row as verifiers ships it: texts where trainers look for them, all else under `vf.row`."""
    row = task["row"]
    lifted = {ours: theirs for ours, theirs in _lifted.items() if isinstance(row.get(ours), str)}
    rest = {name: value for name, value in row.items() if name not in lifted}
    return VfData(
        id=task["key"],
        vf={"key": task["key"], "hash": task["hash"], "row": rest},
        **{theirs: row[ours] for ours, theirs in lifted.items()},
    )
