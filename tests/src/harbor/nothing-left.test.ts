import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { hang, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { describe, expect, test, vi } from 'vitest';
import { kill, vfPlace } from '../cli/vf.ts';
import type { VfPlace } from '../cli/vf.ts';
import { leftBehind, noEngine } from '../docker/engine.ts';
import { orderLamp } from './ask-servers.ts';

const tests = resolve(import.meta.dirname, '../..');
const task = join(tests, 'fixtures/harbor/sidecar');
/** Agents are installed there already. */
const cache = process.env['VF_CACHE_DIR'] ?? join(homedir(), '.cache/vf');

/** Plays the task with a real agent and a service beside it, in a process of its own. */
async function playing(
  model: ScriptedModel,
): Promise<{ readonly place: VfPlace; readonly child: ChildProcess }> {
  const place = await vfPlace({ VF_PROJECT: tests, VF_CACHE_DIR: cache });
  const provider = ['-m', 'scripted', '--base-url', `${model.url}/v1`];
  const args = ['eval', 'harbor', '--taskset.path', task, '--harness', 'codex', ...provider];
  return { place, child: place.start(args) };
}

describe.skipIf(noEngine)('a Harbor task with a service and a real agent', () => {
  const limit = { timeout: 180_000 };
  const asked = (model: ScriptedModel) =>
    vi.waitUntil(() => model.turns.length > 0, { timeout: 120_000 });

  test('leaves nothing when it is played to its end', limit, async () => {
    await using model = await startScriptedModel({ script: orderLamp });
    const { child } = await playing(model);
    const [code] = (await once(child, 'close')) as [number | null];
    expect(code).toBe(0);
    expect(await leftBehind(child.pid)).toEqual([]);
  });

  test('leaves nothing when it is interrupted', limit, async () => {
    await using model = await startScriptedModel({ script: () => hang() });
    const { child } = await playing(model);
    await asked(model);
    // Main, its sidecar and its relay; a network.
    expect(await leftBehind(child.pid)).toHaveLength(4);
    child.kill('SIGINT');
    await once(child, 'close');
    expect(await leftBehind(child.pid)).toEqual([]);
  });

  test('leaves nothing that cleanup does not find when it is killed', limit, async () => {
    await using model = await startScriptedModel({ script: () => hang() });
    const { child, place } = await playing(model);
    await asked(model);
    await kill(child);
    expect(await leftBehind(child.pid)).not.toEqual([]);
    await place.run('cleanup');
    expect(await leftBehind(child.pid)).toEqual([]);
  });
});
