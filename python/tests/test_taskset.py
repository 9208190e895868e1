"""How verifiers finds this package, and what it gets of a row."""

import unittest

import verifiers.v1 as vf
from verifiers.v1.utils.loaders import resolve_env_config

import vf_env
from vf_env import VfEnv, VfTask, VfTaskset, VfTasksetConfig
from vf_env.taskset import task_data


class PackageTest(unittest.TestCase):
    def test_exports_one_taskset_and_one_environment(self) -> None:
        exported = [getattr(vf_env, name) for name in vf_env.__all__]
        classes = [one for one in exported if isinstance(one, type)]
        self.assertEqual([one for one in classes if issubclass(one, vf.Taskset)], [VfTaskset])
        self.assertEqual([one for one in classes if issubclass(one, vf.Env)], [VfEnv])

    def test_its_config_is_resolved_by_id(self) -> None:
        config = resolve_env_config({"taskset": {"id": "vf-env", "address": "tcp://127.0.0.1:7"}})
        self.assertIsInstance(config.taskset, VfTasksetConfig)


class RowTest(unittest.TestCase):
    def test_texts_stand_where_trainers_look_and_the_rest_under_vf(self) -> None:
        row = {"key": "k", "prompt": "What?", "systemPrompt": "Be brief.", "name": None, "answer": 4}
        data = task_data({"key": "k", "hash": "h", "row": row})
        self.assertEqual((data.id, data.prompt, data.system_prompt), ("k", "What?", "Be brief."))
        self.assertEqual(data.vf, {"key": "k", "hash": "h", "row": {"key": "k", "name": None, "answer": 4}})

    def test_messages_stay_as_they_are(self) -> None:
        prompt = [{"role": "user", "content": "What?"}]
        data = task_data({"key": "k", "hash": "h", "row": {"prompt": prompt}})
        self.assertIsNone(data.prompt)
        self.assertEqual(data.vf["row"], {"prompt": prompt})

    def test_the_identity_is_that_of_vf(self) -> None:
        task = VfTask(task_data({"key": "k", "hash": "h", "row": {"prompt": "What?"}}))
        self.assertEqual((task.key, task.hash), ("k", "h"))


if __name__ == "__main__":
    unittest.main()
