"""Traces of vf as verifiers reads them."""

import tempfile
import unittest
from pathlib import Path

import pydantic

from vf_env import load_episodes

EPISODE = '{"task":{"type":"sums","data":{}},"ok":true,"traces":[{"task":{"type":"sums","data":{}},"agent":{"config":{}}}]}'


class TracesTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "traces.jsonl"

    def test_of_a_run_folder_and_of_a_file(self) -> None:
        self.file.write_text(f"{EPISODE}\n\n{EPISODE}\n")
        for path in (self.file, self.file.parent, str(self.file)):
            self.assertEqual([len(episode.traces) for episode in load_episodes(path)], [1, 1])

    def test_a_line_that_is_no_episode_is_an_error_when_it_is_reached(self) -> None:
        self.file.write_text(f'{EPISODE}\n{{"traces": 7}}\n')
        episodes = load_episodes(self.file)
        next(episodes)
        with self.assertRaises(pydantic.ValidationError):
            next(episodes)


if __name__ == "__main__":
    unittest.main()
