import { defineTaskset } from '@vf/core';
import { describe, expect, test } from 'vitest';
import { play } from '../run/play.ts';

const noModel = { url: 'http://127.0.0.1:9', model: 'nobody' };
const config = { 'harness.id': 'oracle' };

describe('oracle', () => {
  test('edits the file as the reference does, in the box of the rollout, without a model', async () => {
    const taskset = defineTaskset({
      load: () => [{ key: 'edit', prompt: 'Turn red into blue.' }],
      setup: ({ runtime }) => runtime.write('sky.txt', 'red\n'),
      validate: async ({ runtime }) => {
        await runtime.run(['sed', '-i', 's/red/blue/', 'sky.txt']);
      },
      rewards: {
        blue: async ({ runtime }) =>
          Number(Buffer.from(await runtime.read('sky.txt')).toString() === 'blue\n'),
      },
    });
    const { trace, result, dir } = await play({ taskset, model: noModel, config });
    expect(trace('edit')).toMatchObject({ reward: 1, calls: [], stopCondition: 'agent_completed' });
    expect(trace('edit').agent).toMatchObject({ model: 'none', harness: { id: 'oracle' } });
    expect(result.exitCode).toBe(0);
    expect(dir).toContain('--none--oracle');
  });

  test('says what the reference replies, turn after turn', async () => {
    const state = (): { step: number } => ({ step: 0 });
    const taskset = defineTaskset({
      state,
      load: () => [{ key: 'talk', prompt: 'One?', systemPrompt: 'Count.' }],
      validate: ({ state: at }) => ({ reply: `It is ${++at.step}.` }),
      next: ({ state: at }) => (at.step < 2 ? { prompt: 'And then?', session: 'resume' } : null),
      rewards: { last: ({ trace }) => Number(trace.lastReply === 'It is 2.') },
    });
    const { trace } = await play({ taskset, model: noModel, config });
    expect(trace('talk').messages.map(({ content }) => content)).toEqual([
      'One?',
      'It is 1.',
      'And then?',
      'It is 2.',
    ]);
    expect(trace('talk').reward).toBe(1);
  });

  test('a reference that fails is a fault of the taskset', async () => {
    const taskset = defineTaskset({
      load: () => [{ key: 'broken', prompt: 'Do.' }],
      validate: () => {
        throw new Error('the solution has a typo');
      },
      rewards: { none: () => 1 },
    });
    const { trace, result } = await play({ taskset, model: noModel, config });
    expect(trace('broken').errors).toMatchObject([
      { type: 'taskset/hook_failed', message: expect.stringContaining('typo') as string },
    ]);
    expect(result.exitCode).toBe(3);
  });

  test('a taskset without a reference is refused before the run', async () => {
    const taskset = defineTaskset({ load: () => [{ key: 'a', prompt: 'Do.' }], rewards: {} });
    await expect(play({ taskset, model: noModel, config })).rejects.toMatchObject({
      code: 'misfit/plan',
      problems: [{ message: expect.stringContaining('oracle') as string }],
    });
  });
});
