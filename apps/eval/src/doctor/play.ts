import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { PluginKind } from '@vf/core';
import type { Consumer } from './consumer.ts';
import { ok, problem } from './finding.ts';
import type { Finding } from './finding.ts';
import { lastWords } from './run-program.ts';
import type { Ended } from './run-program.ts';

export interface Plugin {
  readonly kind: PluginKind;
  readonly id: string;
  readonly package: string;
}

/** A task for agents that have none: any answer is right. */
const greeting = `export default {
  kind: 'taskset',
  specVersion: 1,
  spec: {
    load: () => [{ key: 'greeting', prompt: 'Say hello.' }],
    rewards: { answered: ({ trace }) => Number(trace.lastReply !== null) },
  },
};
`;

/**
 * Plays one task with the plugin: a taskset by its reference solution where it has one, everything else against a
 * scripted model.
 * @param flags further keys of the config, for options without a default
 */
export async function play(
  consumer: Consumer,
  plugin: Plugin,
  flags: readonly string[],
): Promise<Finding[]> {
  const ref = `${plugin.package}#${plugin.id}`;
  if (plugin.kind === 'taskset' && (await hasReference(consumer, ref)))
    return [judged(await consumer.vf(['validate', ref, '-n', '1', ...flags]), plugin, 'validate')];
  const args = argsFor(plugin.kind, ref);
  if (args === null) return [];
  await writeFile(join(consumer.dir, 'greeting.js'), greeting);
  await using model = await scriptedModel(consumer);
  const run = ['eval', ...args, '-n', '1', '-m', 'scripted', '--base-url', `${model.url}/v1`, '-q'];
  return [judged(await consumer.vf([...run, ...flags]), plugin, 'eval')];
}

/** null for kinds that play no part of their own in a run. */
function argsFor(kind: PluginKind, ref: string): string[] | null {
  if (kind === 'taskset') return [ref];
  if (kind === 'harness' || kind === 'runtime' || kind === 'environment')
    return ['./greeting.js', `--${kind}.id`, ref];
  return null;
}

async function hasReference({ vf }: Consumer, ref: string): Promise<boolean> {
  const { stdout } = await vf(['plugins', 'show', ref, '--kind', 'taskset', '--json']);
  const { plugins = [] } = JSON.parse(stdout) as {
    readonly plugins?: readonly { readonly facts: Readonly<Record<string, string>> }[];
  };
  return plugins[0]?.facts['hooks']?.split(', ').includes('validate') === true;
}

function judged(ended: Ended, { kind, id }: Plugin, command: string): Finding {
  if (ended.code === 0) return ok('play', `${kind} ${id}: vf ${command} of one task is well`);
  const words = lastWords(ended);
  if (words.includes('[runtime/engine_gone]'))
    return ok(
      'play',
      `${kind} ${id}: not played: no container engine answers here\n    | ${words}`,
    );
  return problem(
    'play',
    `${kind} ${id}: vf ${command} of one task ended with ${ended.code}:\n    | ${words}`,
    'mend it; options without a default go behind the folder, --taskset.path ./x',
  );
}

interface Model extends AsyncDisposable {
  readonly url: string;
}

async function scriptedModel({ dir }: Consumer): Promise<Model> {
  const bin = join(dir, 'node_modules/@vf/testkit/bin/vf-scripted-model.js');
  const child = spawn(process.execPath, [bin, '--say', 'Hello.'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout });
  const [url] = (await once(lines, 'line')) as [string];
  return {
    url,
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}
