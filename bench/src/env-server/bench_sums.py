"""The same sums as a taskset of verifiers."""

import re

import verifiers.v1 as vf


class SumData(vf.TaskData):
    answer: int


class SumTask(vf.Task[SumData]):
    @vf.reward
    async def exact_match(self, trace: vf.Trace) -> float:
        numbers = re.findall(r"-?\d+", trace.last_reply)
        return float(bool(numbers) and numbers[-1] == str(self.data.answer))


class Sums(vf.Taskset[SumTask, vf.TasksetConfig]):
    def load(self):
        for i in range(10):
            yield SumTask(SumData(prompt=f"What is {i} + {i}?", answer=2 * i), self.config.task)


__all__ = ["Sums"]
