import { defineTaskset } from '@vf/core';
import type { Taskset } from '@vf/core';
import { textOf } from '@vf/core/trace';
import { judge } from '@vf/judge';
import { say, startScriptedModel } from '@vf/testkit';
import type { Reply, ScriptedModel, ScriptedRequest } from '@vf/testkit';

/** Is this call the judge's, and not the agent's? */
export function isJudge({ messages }: Pick<ScriptedRequest, 'messages'>): boolean {
  return textOf(messages[0]?.content ?? '').startsWith('You judge');
}

/** A model that writes as the agent, and judges by `verdict`. */
export function judgingModel(
  verdict: (request: ScriptedRequest) => Reply,
  reply: (request: ScriptedRequest) => Reply = () => say('A heron stood still.'),
): Promise<ScriptedModel> {
  return startScriptedModel({
    model: 'judge-model',
    script: (request) => (isJudge(request) ? verdict(request) : reply(request)),
  });
}

/** The judge's calls among those that a model got. */
export function judgeCalls(model: ScriptedModel) {
  return model.turns.filter(({ call }) => call !== undefined && call !== null && isJudge(call));
}

export const verdict = (score: number) => say(JSON.stringify({ reasoning: 'I looked.', score }));

type JudgeOptions = Partial<Extract<Parameters<typeof judge>[0], { rubric: string }>>;

/** A writing task with one judge as its reward. */
export function writing(options: JudgeOptions = {}): Taskset {
  return defineTaskset({
    load: () => [{ key: 'bird', prompt: 'Write a line about a bird.' }],
    rewards: {
      style: judge({ name: 'style', model: 'judge-model', rubric: 'Is it plain?', ...options }),
    },
  });
}

export const prices = {
  'prices.judge-model': { input: 1_000, output: 2_000 },
};
