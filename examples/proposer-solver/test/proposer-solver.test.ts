import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Episode } from '@vf/core';
import { decodeEpisode, textOf } from '@vf/core/trace';
import { answerSums, say, startScriptedModel } from '@vf/testkit';
import type { Script } from '@vf/testkit';
import { expect, onTestFinished, test } from 'vitest';

const here = resolve(import.meta.dirname, '..');
const bin = resolve(here, '../../apps/eval/bin/vf.js');

/** Runs vf in the folder of this package. @returns the episodes that it wrote, by task */
async function vf(...args: readonly string[]): Promise<Map<string, Episode>> {
  const folder = await mkdtemp(join(tmpdir(), 'vf-example-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const argv = ['--conditions=@vf/source', bin, 'eval', ...args, '-o', folder, '--run', 'run'];
  await promisify(execFile)(process.execPath, argv, { cwd: here });
  const lines = (await readFile(join(folder, 'run', 'traces.jsonl'), 'utf8')).trim().split('\n');
  const episodes = lines.map((line) => decodeEpisode(JSON.parse(line)));
  return new Map(episodes.map((episode) => [episode.task.key, episode]));
}

/** Proposes 7 + 8 and its like; the solver is good at it until numbers have three digits. */
const both: Script = (request) => {
  const asked = textOf(request.messages.at(-1)?.content ?? '');
  const digits = /numbers of (\d) digits/.exec(asked)?.[1];
  if (digits !== undefined)
    return say(`I propose ${'7'.repeat(Number(digits))} + ${'8'.repeat(Number(digits))}.`);
  return asked.includes('777') ? say('I do not know, 12?') : answerSums()(request);
};

function rewardsOf(episode: Episode | undefined) {
  return episode?.traces.map(({ agent, rewards }) => [
    agent.name,
    Object.fromEntries(Object.entries(rewards).map(([name, record]) => [name, record?.score])),
  ]);
}

test('each agent gets its own reward for the other’s work', { timeout: 60_000 }, async () => {
  await using model = await startScriptedModel({ script: both });
  const provider = ['--base-url', `${model.url}/v1`, '-m', 'scripted'];
  const episodes = await vf('make-up-sums', '--environment.id', 'proposer-solver', ...provider);
  expect(rewardsOf(episodes.get('1-digits'))).toEqual([
    ['proposer', { wellFormed: 1, stumped: 0 }],
    ['solver', { right: 1 }],
  ]);
  expect(rewardsOf(episodes.get('3-digits'))).toEqual([
    ['proposer', { wellFormed: 1, stumped: 1 }],
    ['solver', { right: 0 }],
  ]);
  expect([...episodes.values()].every(({ ok }) => ok)).toBe(true);
});

test('roles take a model of their own from the config', { timeout: 60_000 }, async () => {
  await using large = await startScriptedModel({ script: both });
  await using small = await startScriptedModel({ script: both, model: 'scripted-small' });
  const solver = ['--roles.solver.client.base-url', `${small.url}/v1`];
  const models = ['-m', 'scripted', '--roles.solver.model', 'scripted-small'];
  const provider = ['--base-url', `${large.url}/v1`, ...solver, ...models];
  const episodes = await vf(
    'make-up-sums',
    '@',
    'two-models.toml',
    ...provider,
    '--taskset.digits',
    '[3]',
  );
  const traces = episodes.get('3-digits')?.traces ?? [];
  expect(traces.map(({ agent }) => [agent.name, agent.model])).toEqual([
    ['proposer', 'scripted'],
    ['solver', 'scripted-small'],
    ['solver', 'scripted-small'],
  ]);
  expect([large.turns.length, small.turns.length]).toEqual([1, 2]);
  expect(small.turns[0]?.call?.body).toMatchObject({ temperature: 1 });
});
