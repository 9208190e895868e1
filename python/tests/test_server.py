"""A server that is started, joined and stopped. `VF_COMMAND` is a JSON list that starts vf."""

import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

from vf_env import VfServer, VfServerError

COMMAND = json.loads(os.environ.get("VF_COMMAND", '["vf"]'))
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
        with VfServer.start(self.config, command=COMMAND, workers=2) as server:
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

    def test_a_config_that_does_not_hold_is_told(self) -> None:
        self.config.write_text("[taskset]\nid = 7\n")
        with self.assertRaisesRegex(VfServerError, "ended before it was ready"):
            VfServer.start(self.config, command=COMMAND)

    def test_one_that_is_too_slow_is_stopped(self) -> None:
        with self.assertRaisesRegex(VfServerError, "not ready within"):
            VfServer.start(self.config, command=[sys.executable, "-c", "import time; time.sleep(60)"], timeout=0.2)


if __name__ == "__main__":
    unittest.main()
