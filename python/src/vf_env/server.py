"""A vf environment server: one that runs already, or one that is started and stopped here."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import shlex
import signal
import subprocess
import threading
import uuid
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, Self, TypedDict, cast

import msgpack
import zmq

DEFAULT_ADDRESS = "tcp://127.0.0.1:5000"
_PAGE = 1000
_GRACE = 5.0


class VfServerError(RuntimeError):
    """The server cannot be reached, or refuses a request."""


class VfTaskRow(TypedDict):
    """One task of a server: its key, the SHA-256 of its row, and the row without what may be secret."""

    key: str
    hash: str
    row: dict[str, Any]


def vf_command() -> list[str]:
    """What starts vf: `VF_COMMAND`, as a JSON list or as a shell would split it; else `vf`, found on the PATH."""
    given = os.environ.get("VF_COMMAND", "").strip()
    if not given:
        return ["vf"]
    if not given.startswith("["):
        return shlex.split(given)
    try:
        words = json.loads(given)
    except json.JSONDecodeError:
        words = None
    if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
        raise VfServerError(f'VF_COMMAND is no JSON list of words, like ["node", "vf.js"]: {given}')
    return words


class VfServer:
    """A server at an address; `start` makes one that `close` (or leaving `with`) stops."""

    def __init__(self, address: str = DEFAULT_ADDRESS) -> None:
        self.address = address
        self._process: subprocess.Popen[str] | None = None

    @classmethod
    def start(
        cls,
        config: str | Path,
        *,
        bind: str = "tcp://127.0.0.1:0",
        workers: int | None = None,
        command: Sequence[str] | None = None,
        timeout: float = 600.0,
    ) -> Self:
        """Run `vf serve @ config` and wait until it is ready; `workers` processes play, or as many as the config says.

        `command` starts vf; without it what `vf_command` says. The server ends with this program, however that ends.
        Raises `VfServerError` when there is no such command, or when the server ends before it is ready, with what it said;
        one that is not ready after `timeout` seconds is stopped with all that `command` started, killed after some more.
        """
        spread = [] if workers is None else ["--workers", str(workers)]
        process = _spawned(
            [
                *(vf_command() if command is None else command),
                *("serve", "@", str(config), "--bind", bind, "--json", "--while-stdin", *spread),
            ]
        )
        line = _FirstLine(cast("IO[str]", process.stdout))
        try:
            address = _ready_address(line.read(timeout), timeout)
        except BaseException:
            _end(process, _GRACE)
            # A wrapper may have left what it started.
            _kill_group(process)
            # Who still reads it holds it: to close it would wait for what escaped.
            if line.read(_GRACE) is not None:
                _close_pipes(process)
            raise
        server = cls(address)
        server._process = process
        atexit.register(server.close)
        return server

    def tasks(self, timeout: float = 30.0) -> list[VfTaskRow]:
        """All tasks of the server, in its order."""
        rows: list[VfTaskRow] = []
        while True:
            page = self.request("tasks", {"offset": len(rows), "limit": _PAGE}, timeout)
            rows.extend(page["tasks"])
            if not page["tasks"] or len(rows) >= page["total"]:
                return rows

    def metrics(self, timeout: float = 10.0) -> dict[str, float]:
        """What the server does and has done: running, queued, finished, failed, cancelled, …"""
        metrics: dict[str, float] = self.request("metrics", {}, timeout)["metrics"]
        return metrics

    def request(self, method: str, body: dict[str, Any], timeout: float) -> dict[str, Any]:
        """One request that streams nothing, answered within `timeout` seconds."""
        socket: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.DEALER)
        socket.setsockopt(zmq.LINGER, 0)
        try:
            try:
                socket.connect(self.address)
            except zmq.ZMQError as error:
                raise VfServerError(f"{self.address!r} is no address of a server ({error}); tcp://HOST:PORT is one") from error
            socket.send_multipart([uuid.uuid4().hex.encode(), method.encode(), msgpack.packb(body)])
            if not socket.poll(int(timeout * 1000)):
                raise VfServerError(f"no answer from {self.address} within {timeout:g} s; does `vf serve` run there?")
            _id, _kind, data = socket.recv_multipart()
        finally:
            socket.close()
        reply: dict[str, Any] = msgpack.unpackb(data)
        if not reply["success"]:
            raise VfServerError(reply["error"])
        return reply

    def close(self, timeout: float = 60.0) -> None:
        """Stop a server that was started here, and wait until it has: after `timeout` seconds all that `command` started is killed.

        The server ends with its stdin, which every wrapper hands on, as `npx` and a shell do not do with signals.
        A server that was not started here stays. Idempotent.
        """
        process, self._process = self._process, None
        if process is None:
            return
        atexit.unregister(self.close)
        try:
            _end(process, timeout)
        finally:
            _close_pipes(process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _spawned(command: Sequence[str]) -> subprocess.Popen[str]:
    """A process that ends when its stdin does, which is held by this one alone; in a session of its own, to be killed whole."""
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
    except OSError as error:
        raise VfServerError(
            f"{command[0]} cannot be started ({error.strerror}): `npm i -g @vf/eval @vf/serve` puts vf on the PATH; "
            "from a clone, VF_COMMAND='CLONE/node_modules/node/bin/node --conditions=@vf/source CLONE/apps/eval/bin/vf.js'"
        ) from error
    _spawned_here.add(process)
    return process


def _end(process: subprocess.Popen[str], patience: float) -> None:
    """Let it end by its stdin; after `patience` seconds kill it with all that it has started, behind a wrapper too."""
    _close_stdin(process)
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        _kill_group(process)
        process.wait()


def _kill_group(process: subprocess.Popen[str]) -> None:
    # macOS refuses where only what has ended is left.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _close_stdin(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(OSError):
        cast("IO[str]", process.stdin).close()


def _close_pipes(process: subprocess.Popen[str]) -> None:
    _close_stdin(process)
    with contextlib.suppress(OSError):
        cast("IO[str]", process.stdout).close()


_spawned_here: weakref.WeakSet[subprocess.Popen[str]] = weakref.WeakSet()


def _let_go() -> None:
    """A fork, such as a worker of a data loader, would hold the pipe open that ends the server; a thread may read the other."""
    for process in _spawned_here:
        _close_stdin(process)


os.register_at_fork(after_in_child=_let_go)


class _FirstLine:
    """The first line of a stream, read while others wait for it."""

    def __init__(self, stream: IO[str]) -> None:
        self._lines: list[str] = []
        self._reader = threading.Thread(target=lambda: self._lines.append(stream.readline()), daemon=True)
        self._reader.start()

    def read(self, timeout: float) -> str | None:
        """The line, empty at the end of the stream; None when it has not come within `timeout` seconds."""
        self._reader.join(timeout)
        return self._lines[0] if self._lines else None


def _ready_address(line: str | None, timeout: float) -> str:
    """The address in the one line that a server prints when it is ready."""
    if line is None:
        raise VfServerError(f"vf serve was not ready within {timeout:g} s")
    try:
        ready = json.loads(line)
    except json.JSONDecodeError:
        ready = {}
    if ready.get("type") != "serve.ready":
        raise VfServerError(f"vf serve ended before it was ready: {ready.get('message') or 'see its output on stderr'}")
    return str(ready["address"])
