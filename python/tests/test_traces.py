"""Traces of vf as verifiers reads them."""

import json
import tempfile
import unittest
from pathlib import Path

import pydantic

from verifiers.v1 import WireEpisode

from vf_env import DamagedTraceError, load_episodes, reward_of, scored_traces

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

    def test_a_last_line_that_is_half_written_is_none_yet(self) -> None:
        for half in (EPISODE[:-1], EPISODE[:9], '{"a'):
            self.file.write_text(f"{EPISODE}\n{half}")
            self.assertEqual(len(list(load_episodes(self.file))), 1)


    def test_tokens_that_do_not_fit_are_named(self) -> None:
        user: dict[str, object] = {
            "message": {"role": "user", "content": "hi"},
            "token_ids": [1, 2],
            "mask": [False, False],
        }
        reply: dict[str, object] = {
            "parent": 0,
            "sampled": True,
            "message": {"role": "assistant", "content": "ho"},
            "token_ids": [3, 4, 5],
            "mask": [False, True, True],
            "is_content": [False, True, True],
            "logprobs": [-0.5, 0.0],
        }
        more: dict[str, object] = {"parent": 1, "message": {"role": "user", "content": "more"}}
        whole = [user, reply, more]
        damages: list[tuple[int, dict[str, object], str]] = [
            (1, {"token_ids": [3, 4]}, "nodes[1].mask: has 3 entries for 2 tokens"),
            (1, {"token_ids": []}, "mask: has 3 entries"),
            (1, {"token_ids": [3, -4, 5]}, "token_ids"),
            (1, {"token_ids": [3, 4, 2**31]}, "token_ids"),
            (1, {"mask": [False, True]}, "mask: has 2 entries"),
            (1, {"mask": [True, True, False]}, "an unsampled token after a sampled one"),
            (1, {"sampled": False}, "not sampled"),
            (0, {"mask": [False, True]}, "nodes[0].mask: has sampled tokens"),
            (1, {"is_content": [True]}, "is_content"),
            (1, {"logprobs": [-0.5]}, "logprobs: has 1 entries for 2"),
            (1, {"logprobs": [-0.5, 0.5]}, "at most 0"),
            (1, {"logprobs": [-0.5, float("nan")]}, "finite"),
            (1, {"logprobs": [-0.5, float("-inf")]}, "finite"),
            (1, {"advantages": [1.0]}, "advantages"),
            (1, {"loss_weights": {"a": [1.0]}}, "loss_weights.a"),
            (1, {"parent": 1}, "nodes[1].parent: 1 does not precede"),
            (1, {"parent": 2}, "parent: 2"),
            (2, {"parent": -1}, "parent: -1"),
        ]
        self.write(whole)
        self.assertEqual([len(branch.token_ids) for branch in next(load_episodes(self.file)).traces[0].branches], [5])
        for at, changes, words in damages:
            self.write([{**node, **changes} if index == at else node for index, node in enumerate(whole)])
            with self.subTest(words), self.assertRaises(DamagedTraceError) as damage:
                next(load_episodes(self.file))
            self.assertIn(words, str(damage.exception))

    def write(self, nodes: list[dict[str, object]]) -> None:
        line = json.loads(EPISODE)
        line["traces"][0]["nodes"] = nodes
        self.file.write_text(f"{json.dumps(line)}\n")


def episode(traces: list[dict[str, object]], ok: bool = True) -> WireEpisode:
    task = {"type": "sums", "data": {}}
    plain = {"task": task, "agent": {"config": {}}}
    return WireEpisode.model_validate({"task": task, "ok": ok, "traces": [{**plain, **trace} for trace in traces]})


class ScoredTest(unittest.TestCase):
    failed = {"ok": False, "rewards": {}, "errors": [{"type": "provider/overloaded", "message": "busy"}]}
    unscored = {"ok": True, "rewards": {"right": None}}
    wrong = {"ok": True, "rewards": {"right": {"score": 0.0, "weight": 1.0}, "tidy": None}}
    right = {"ok": True, "rewards": {"right": {"score": 1.0, "weight": 2.0}}}

    def test_no_reward_is_none_and_no_zero(self) -> None:
        traces = episode([self.failed, self.unscored, self.wrong, self.right]).traces
        self.assertEqual([trace.reward for trace in traces], [0.0, 0.0, 0.0, 2.0])
        self.assertEqual([reward_of(trace) for trace in traces], [None, None, 0.0, 2.0])

    def test_a_rollout_that_failed_after_its_scoring_has_none(self) -> None:
        self.assertIsNone(reward_of(episode([{**self.right, "ok": False}]).traces[0]))

    def test_only_those_that_are_scored_are_yielded(self) -> None:
        episodes = [episode([self.failed, self.right]), episode([self.unscored, self.wrong]), episode([self.right], ok=False)]
        self.assertEqual([trace.reward for trace in scored_traces(episodes)], [2.0, 0.0])


if __name__ == "__main__":
    unittest.main()
