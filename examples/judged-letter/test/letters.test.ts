import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { decodeEpisode, textOf } from '@vf/core/trace';
import { say, startScriptedModel } from '@vf/testkit';
import type { Script, ScriptedRequest } from '@vf/testkit';
import { expect, onTestFinished, test } from 'vitest';

const here = resolve(import.meta.dirname, '..');
const bin = resolve(here, '../../apps/eval/bin/vf.js');

/** The writer signs once it is told to, the user asks for that, the judge sees it. */
const all: Script = (request) => {
  const asked = textOf(request.messages.at(-1)?.content ?? '');
  const system = textOf(request.messages[0]?.content ?? '');
  if (system.startsWith('You judge')) return say(JSON.stringify(verdict(request)));
  if (system.startsWith('You play'))
    return say(JSON.stringify({ message: 'sign it Kim pls', done: asked.includes('Yours, Kim') }));
  return say(asked.includes('sign it') ? 'Hello all, party on Friday. Yours, Kim' : 'Hello all.');
};

function verdict({ messages }: ScriptedRequest) {
  const isSigned = textOf(messages.at(-1)?.content ?? '').includes('Yours, Kim');
  const met = { facts: false, asked: isSigned, tone: true, flowery: false };
  return Object.fromEntries(
    Object.entries(met).map(([name, is]) => [name, { reasoning: 'I looked.', met: is }]),
  );
}

test('the user gets the change, the judge scores it, and both are on the bill', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vf-example-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await using model = await startScriptedModel({ script: all, model: 'gpt-5.2' });
  const provider = ['@', 'models.toml', '-m', 'gpt-5.2', '--base-url', model.url];
  const argv = ['--conditions=@vf/source', bin, 'eval', 'letters', '-n', '1', ...provider];
  await promisify(execFile)(process.execPath, [...argv, '-o', folder, '--run', 'run'], {
    cwd: here,
  });
  const line = await readFile(join(folder, 'run', 'traces.jsonl'), 'utf8');
  const [trace] = decodeEpisode(JSON.parse(line)).traces;
  expect(trace?.rewards).toEqual({ letter: { score: 0.6, weight: 1 } });
  expect(trace?.lastReply).toBe('Hello all, party on Friday. Yours, Kim');
  expect(trace?.info['users']).toEqual({ sender: { turns: 1, ended: 'done' } });
  expect(trace?.extraUsage.map(({ by }) => by)).toEqual([
    'sender',
    'sender',
    'letter',
    'letter',
    'letter',
  ]);
});
