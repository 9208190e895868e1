import { resolve } from 'node:path';
import type { Log } from '@vf/core';
import { PluginHost } from '@vf/plugin-host';
import { Secrets, planRun, resolveConfig } from '@vf/run';
import type { RunPlan } from '@vf/run';

const taskset = resolve(import.meta.dirname, '../../../examples/addition/addition.ts');
const bench = resolve(import.meta.dirname, '../..');

export const log: Log = { debug() {}, info() {}, warn: console.error, error: console.error };

/** The addition taskset with the null harness, as an environment server plays it. */
export async function planOfServer(
  maxConcurrent: number,
): Promise<{ readonly plan: RunPlan; readonly secrets: Secrets }> {
  const flags = Object.entries({
    'taskset.id': taskset,
    'taskset.count': 10,
    model: 'scripted',
    'client.provider': 'local',
    max_concurrent: maxConcurrent,
  }).map(([path, value]) => ({
    flag: `--${path}`,
    path: path.split('.'),
    value,
    text: String(value),
  }));
  const resolved = await resolveConfig({ cwd: bench, files: [], flags, userFile: null });
  const { config, sourceOf } = resolved;
  const secrets = new Secrets({});
  const host = new PluginHost({ cwd: bench, vfDir: bench });
  const signal = new AbortController().signal;
  return { plan: await planRun({ config, host, secrets, sourceOf }, signal), secrets };
}
