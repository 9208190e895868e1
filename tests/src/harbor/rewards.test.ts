import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { harborTaskset } from '@vf/taskset-harbor';
import { say, solveWithShell, startScriptedModel } from '@vf/testkit';
import { expect, test } from 'vitest';
import { play } from '../run/play.ts';
import type { Played } from '../run/play.ts';

const root = resolve(import.meta.dirname, '../../..');
const fixtures = harborTaskset({ path: resolve(root, 'plugins/taskset/harbor/fixtures') });
const more = harborTaskset({ path: resolve(root, 'tests/fixtures/harbor') });

const noModel = { url: 'http://127.0.0.1:9', model: 'nobody' };
const docker = { 'runtime.id': 'docker', max_concurrent: 2 };
const oracle = { ...docker, 'harness.id': 'oracle' };

/** Paths of the files that a task's rollout left as artifacts. */
function keptFiles({ dir, episodes, trace }: Played, key: string): string[] {
  const episode = episodes.find(({ task }) => task.key === key);
  const kept = join(dir, 'artifacts', episode?.id ?? '', trace(key).id);
  return readdirSync(kept, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(kept.length + 1))
    .toSorted();
}

/** Containers on a busy machine. */
const limit = 300_000;

/** What each task got: its reward, and the other keys of its verifier. */
function rewardsOf({ episodes }: Played) {
  return Object.fromEntries(
    episodes.map(({ task, traces }) => [task.key, [traces[0]?.reward, traces[0]?.metrics]]),
  );
}

test('the oracle gets what Harbor 0.25 gives it', { timeout: limit }, async () => {
  const played = await play({ taskset: fixtures, model: noModel, config: oracle });
  expect(rewardsOf(played)).toEqual({
    'hello-file': [1, {}],
    'json-reward': [1, { total_ok: 1, distinct_ok: 1, owner_ok: 1, env_ok: 1 }],
    'two-steps': [1, { count_ok: 0.5 }],
  });
  expect(played.trace('two-steps').info['harbor']).toMatchObject({
    steps: [
      { step: 'draft', rewards: { reward: 1 } },
      { step: 'finish', rewards: { reward: 1, count_ok: 1 } },
    ],
  });
  expect(played.result.exitCode).toBe(0);
});

test('an agent that only talks gets nothing', { timeout: limit }, async () => {
  await using model = await startScriptedModel({ script: () => say('Done!') });
  const config = { ...docker, 'harness.id': 'null' };
  const played = await play({ taskset: fixtures, model, config });
  expect(rewardsOf(played)).toEqual({
    'hello-file': [0, {}],
    'json-reward': [0, { total_ok: 0, distinct_ok: 0, owner_ok: 0, env_ok: 1 }],
    'two-steps': [0, {}],
  });
  expect(model.requests).toHaveLength(3);
});

test('an agent that works in the box without a network solves it', { timeout: limit }, async () => {
  await using model = await startScriptedModel({
    script: solveWithShell("printf 'ship it\\n' > /app/hello.txt"),
  });
  const config = { ...docker, 'harness.id': 'bash', 'taskset.tasks': ['hello-file'] };
  const { trace } = await play({ taskset: fixtures, model, config });
  expect(trace('hello-file')).toMatchObject({ reward: 1, stopCondition: 'agent_completed' });
});

test(
  'machines and networks of their own, planted rewards, broken graders',
  { timeout: limit },
  async () => {
    const played = await play({ taskset: more, model: noModel, config: oracle });
    expect(rewardsOf(played)).toMatchObject({
      'final-step': [0.75, {}],
      'mcp-tool': [1, {}],
      'network-phases': [1, { agent_cut_off: 1, verifier_connected: 1 }],
      'planted-reward': [0, {}],
      'separate-verifier': [1, { answer: 1, kept: 1, apart: 1 }],
      sidecar: [1, {}],
      'users-and-skills': [1, { by_root: 0.5 }],
    });
    const ofVerifier = ['logs/verifier/reward.txt', 'logs/verifier/test-stdout.txt'];
    expect(keptFiles(played, 'sidecar')).toEqual([
      ...ofVerifier,
      'services/shop.log',
      'var/shop/book.txt',
    ]);
    expect(keptFiles(played, 'users-and-skills')).toEqual([
      'logs/artifacts/collector.txt',
      'pages/last.txt',
      'steps/draft/logs/verifier/reward.txt',
      'steps/draft/logs/verifier/test-stdout.txt',
      'steps/seal/logs/verifier/reward.json',
      'steps/seal/logs/verifier/test-stdout.txt',
    ]);
    const errorOf = (key: string) => played.trace(key).errors[0];
    expect(errorOf('hanging-grader')).toMatchObject({ type: 'scoring/timeout', phase: 'scoring' });
    expect(errorOf('silent-grader')).toMatchObject({
      type: 'scoring/hook_failed',
      message: expect.stringMatching(/left no reward file[^]*the grader is broken/),
    });
    expect(played.trace('silent-grader')).toMatchObject({ ok: false, rewards: { reward: null } });
  },
);
