"""A server that is started, joined and stopped. `VF_COMMAND` is a JSON list that starts vf."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

from vf_env import VfServer, VfServerError
from vf_env.server import vf_command

TASKSET = """
import { defineTaskset } from '@vf/core';

export default defineTaskset({
  load: () => Array.from({ length: 1200 }, (_, i) => ({ key: `t${i}`, prompt: `task ${i}`, env: { TOKEN: 'secret' } })),
  rewards: { one: () => 1 },
});
"""


class ServerTest(unittest.TestCase):
    def setUp(self) -> None:
        # Beside the packages of vf, so that the taskset finds them.
        base = os.environ.get("VF_TEST_FOLDER")
        folder = tempfile.TemporaryDirectory(dir=base)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "tasks.ts").write_text(TASKSET)
        self.config = self.folder / "env.toml"
        self.config.write_text(f'[taskset]\nid = "{self.folder}/tasks.ts"\n')

    def test_is_started_joined_and_stopped(self) -> None:
        with VfServer.start(self.config, workers=2) as server:
            rows = VfServer(server.address).tasks()
            self.assertEqual(len(rows), 1200)
            self.assertEqual([row["key"] for row in rows[:2]], ["t0", "t1"])
            self.assertNotIn("env", rows[0]["row"])
            self.assertEqual(server.metrics()["workers"], 2)
            with self.assertRaisesRegex(VfServerError, "unknown method"):
                server.request("step", {}, 10)
        with self.assertRaisesRegex(VfServerError, "no answer"):
            server.request("health", {}, 0.5)
        server.close()

    def test_ends_at_once_behind_what_keeps_signals_to_itself(self) -> None:
        for wrapper in ("trap '' INT TERM HUP; \"$@\"; true", "trap 'exit 1' INT TERM HUP; \"$@\"; true"):
            with self.subTest(wrapper):
                server = VfServer.start(self.config, command=["sh", "-c", wrapper, "sh", *vf_command()])
                process = server._process
                assert process is not None
                # One that is not ended by its stdin is killed, which is told apart by how it left.
                server.close(timeout=45)
                self.assertEqual(process.returncode, 0)
                self.assertFalse(answers(server, 0.5))

    def test_ends_while_a_fork_of_the_program_lives(self) -> None:
        server = VfServer.start(self.config)
        process = server._process
        assert process is not None
        child = os.fork()
        if child == 0:
            time.sleep(600)
            os._exit(0)
        try:
            server.close(timeout=45)
            self.assertEqual(process.returncode, 0)
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)

    def test_a_fork_during_a_start_goes_on(self) -> None:
        command = [sys.executable, "-c", "import time; time.sleep(60)"]

        def start() -> None:
            with self.assertRaises(VfServerError):
                VfServer.start(self.config, command=command, timeout=3)

        starting = threading.Thread(target=start)
        starting.start()
        time.sleep(1)
        child = os.fork()
        if child == 0:
            os._exit(0)
        ended = 0
        for _ in range(100):
            ended, _status = os.waitpid(child, os.WNOHANG)
            if ended != 0:
                break
            time.sleep(0.1)
        else:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        starting.join()
        self.assertEqual(ended, child)

    def test_an_address_that_is_none_is_told(self) -> None:
        for address in ("", "zz", "127.0.0.1:5000", "tcp://127.0.0.1"):
            with self.assertRaisesRegex(VfServerError, "is no address of a server"):
                VfServer(address).metrics()

    def test_a_config_that_does_not_hold_is_told(self) -> None:
        self.config.write_text("[taskset]\nid = 7\n")
        with self.assertRaisesRegex(VfServerError, "ended before it was ready"):
            VfServer.start(self.config)

    def test_one_that_is_too_slow_is_stopped(self) -> None:
        with self.assertRaisesRegex(VfServerError, "not ready within"):
            VfServer.start(self.config, command=[sys.executable, "-c", "import time; time.sleep(60)"], timeout=0.2)

    def test_one_that_is_too_slow_is_stopped_with_what_its_wrapper_started(self) -> None:
        held = self.folder / "held"
        os.mkfifo(held)
        # Who has it open for writing lives.
        reader = os.open(held, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        for wrapper in ("sleep 600; true", "sleep 600 & wait", "trap '' INT TERM HUP; sleep 600; true", "sleep 600 & exit 0"):
            with self.subTest(wrapper), mock.patch("vf_env.server._GRACE", 0.3):
                command = ["sh", "-c", f'exec 9>"$0"; {wrapper}', str(held)]
                with self.assertRaisesRegex(VfServerError, "not ready within"):
                    VfServer.start(self.config, command=command, timeout=0.3)
                self.assertEqual(read_to_the_end(reader), b"")

    def test_a_close_that_takes_too_long_kills_what_the_wrapper_started(self) -> None:
        held = self.folder / "held"
        os.mkfifo(held)
        reader = os.open(held, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        ready = '{"type":"serve.ready","address":"tcp://127.0.0.1:9"}'
        command = ["sh", "-c", f"exec 9>\"$0\"; echo '{ready}'; sleep 600; true", str(held)]
        server = VfServer.start(self.config, command=command)
        server.close(timeout=0.2)
        self.assertEqual(read_to_the_end(reader), b"")

    def test_it_ends_with_a_program_that_is_killed(self) -> None:
        program = (
            "import sys, time; from vf_env import VfServer; "
            "print(VfServer.start(sys.argv[1], workers=2).address, flush=True); time.sleep(600)"
        )
        with subprocess.Popen([sys.executable, "-c", program, str(self.config)], stdout=subprocess.PIPE, text=True) as one:
            assert one.stdout is not None
            server = VfServer(one.stdout.readline().strip())
            self.assertTrue(answers(server))
            one.kill()
        for _ in range(120):
            if not answers(server):
                return
            time.sleep(0.5)
        self.fail("the server outlives the program that started it")


def answers(server: VfServer, timeout: float = 5) -> bool:
    try:
        return server.request("health", {}, timeout)["success"] is True
    except VfServerError:
        return False


def read_to_the_end(reader: int) -> bytes:
    """What a pipe still has when nobody writes to it any more; raises BlockingIOError while one lives that could."""
    for _ in range(50):
        with contextlib.suppress(BlockingIOError):
            return os.read(reader, 1)
        time.sleep(0.1)
    return os.read(reader, 1)


class CommandTest(unittest.TestCase):
    def test_is_vf_or_what_the_environment_says(self) -> None:
        for given, words in [
            ("", ["vf"]),
            ('["node", "my vf.js"]', ["node", "my vf.js"]),
            ("node 'my vf.js'", ["node", "my vf.js"]),
        ]:
            with mock.patch.dict(os.environ, {"VF_COMMAND": given}):
                self.assertEqual(vf_command(), words)
        for wrong in ("[", "[]", "[7]"):
            with mock.patch.dict(os.environ, {"VF_COMMAND": wrong}), self.assertRaisesRegex(VfServerError, "no JSON list"):
                vf_command()

    def test_one_that_is_not_there_is_told_with_what_mends_it(self) -> None:
        with mock.patch.dict(os.environ, {"VF_COMMAND": "no-such-vf"}), self.assertRaises(VfServerError) as raised:
            VfServer.start("env.toml")
        self.assertRegex(str(raised.exception), "no-such-vf cannot be started .*npm i -g @vf/eval @vf/serve.*VF_COMMAND=")


if __name__ == "__main__":
    unittest.main()
