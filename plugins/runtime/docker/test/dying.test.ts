import { expect, test } from 'vitest';
import { engineAt } from '../src/engine/engine.ts';
import { Life } from '../src/exec/life.ts';
import { pretenders } from './pretend.ts';

const pretend = pretenders();

/** Of a container whose state says for so many looks that it runs. */
async function lifeOf(runs: number): Promise<Life> {
  let looks = 0;
  const toJSON = (): object => ({ State: { Running: (looks += 1) <= runs, Paused: false } });
  const host = await pretend({ '/containers/x/json': { toJSON } });
  return new Life(engineAt(host).docker.getContainer('x'), 'box x');
}

const setns = 'error executing setns process: exit status 1: unknown';

test('a container that the engine still takes for running, though no program starts in it, is dead', async () => {
  const life = await lifeOf(3);
  expect(await life.survives(setns)).toBe(false);
});

test('one that goes on running lives, and a program that is not there says nothing of it', async () => {
  expect(await (await lifeOf(100)).survives(setns)).toBe(true);
  expect(await (await lifeOf(1)).survives('exec: "none": executable file not found')).toBe(true);
});
