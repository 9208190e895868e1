"""Environments of vf for Python trainers.

verifiers 0.4 imports this module for the id `vf-env` and takes the one `Taskset` and the one `Env` that `__all__` names.
"""

from vf_env.env import VfEnv
from vf_env.server import VfServer, VfServerError, VfTaskRow
from vf_env.taskset import VfData, VfTask, VfTaskset, VfTasksetConfig
from vf_env.token_rules import DamagedTraceError
from vf_env.traces import load_episodes, reward_of, scored_traces

__all__ = [
    "DamagedTraceError",
    "VfData",
    "VfEnv",
    "VfServer",
    "VfServerError",
    "VfTask",
    "VfTaskRow",
    "VfTaskset",
    "VfTasksetConfig",
    "load_episodes",
    "reward_of",
    "scored_traces",
]
