import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerSums, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { shellWord } from '../src/typed.ts';
import { emptyFolder, vf } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

/** A line's end, a colour, a tab, what turns the direction of text, a C1 control, a carriage return, a line separator. */
const odd = '\n\u001b[31m\t\u202e\u009b\r\u2028';

/** Models whose names end in nothing, and oddly. */
const models = new Map<string, ScriptedModel>();
beforeAll(async () => {
  for (const end of ['', odd])
    models.set(end, await startScriptedModel({ script: answerSums(), model: `scripted${end}` }));
});
afterAll(() => Promise.all([...models.values()].map((model) => model.close())));

const agent = `
const { OPENAI_BASE_URL, OPENAI_API_KEY, MODEL } = process.env;
await fetch(OPENAI_BASE_URL + '/chat/completions', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + OPENAI_API_KEY, 'content-type': 'application/json' },
  body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'What is 1 + 1?' }] }),
});`;

/** A folder with a taskset and a config whose every name ends in `end`; its run has been played. */
async function played(end: string): Promise<string> {
  const cwd = emptyFolder();
  const named = (name: string): string => JSON.stringify(`${name}${end}`);
  writeFileSync(join(cwd, 'agent.mjs'), agent);
  writeFileSync(
    join(cwd, 'odd.ts'),
    `import { defineTaskset } from '@vf/core';
export default defineTaskset({
  load: () => ['good', 'bad'].map((key) => ({ key: key + ${named('')}, name: ${named('called')}, prompt: 'What is 1 + 1?' })),
  setup: ({ trace }) => { trace.info[${named('noted')}] = { [${named('said')}]: 1 }; },
  rewards: { [${named('right')}]: () => 1, fails: ({ task }) => { if (task.key.startsWith('bad')) throw new Error('no'); return 1; } },
  metrics: { [${named('count')}]: () => 3 },
});`,
  );
  const harness = {
    id: 'command',
    name: 'acme',
    dialect: 'chat-completions',
    run: [process.execPath, join(cwd, 'agent.mjs')],
    env: { OPENAI_BASE_URL: '{base_url}', OPENAI_API_KEY: '{api_key}', MODEL: '{model}' },
  };
  const config = {
    model: `scripted${end}`,
    harness,
    client: { base_url: `${models.get(end)?.url}/v1` },
  };
  writeFileSync(join(cwd, 'config.json'), JSON.stringify(config));
  return cwd;
}

/** Every view of a run, the one of the run under way first. */
const views = (end: string): readonly (readonly string[])[] => [
  ['eval', './odd.ts', '@', 'config.json', '--run', 'r', '-v'],
  ['eval', './odd.ts', '@', 'config.json', '--dry-run'],
  ['tasks', './odd.ts'],
  ['validate', './odd.ts'],
  ['show'],
  ['show', 'r'],
  ['show', 'r', '--errors'],
  ['show', 'r', '--where', 'attempt=1'],
  ['show', 'r', '--by', 'task'],
  ['show', 'r', `good${end}:1`],
  ['show', 'r', `good${end}:1`, '--call', '1'],
  ['show', 'r', `bad${end}:1`],
  ['show', 'r', `god${end}:1`],
  ['compare', 'r', 'r', '--markdown', 'compared.md', '--junit', 'compared.xml'],
  ['export', 'r', '--to', 'csv', '-o', 'r.csv'],
  ['rescore', 'r'],
];

test('names with controls in them break no line of any view', async () => {
  const [plain, strange] = [await played(''), await played(odd)];
  for (const [at, command] of views('').entries()) {
    const [expected, shown] = await Promise.all([
      vf(command, { cwd: plain }),
      vf(views(odd)[at] ?? [], { cwd: strange }),
    ]);
    const text = `${shown.stdout}${shown.stderr}`;
    expect(text, command.join(' ')).not.toMatch(/(?!\n)[\p{Cc}\u2028-\u202e]/u);
    const lines = `${expected.stdout}${expected.stderr}`.split('\n');
    expect(text.split('\n'), text).toHaveLength(lines.length);
    expect(shown.code).toBe(expected.code);
  }
  const missing = `god${odd}:1`;
  const { stdout } = await vf(['show', 'r', missing, '--json'], { cwd: strange });
  expect(JSON.parse(stdout)).toMatchObject({
    message: expect.stringContaining(`no episode "${missing}" in run r`) as string,
  });
  for (const file of ['compared.md', 'compared.xml']) {
    const text = readFileSync(join(strange, file), 'utf8');
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\u2028-\u202e]/u);
    expect(text.split('\n')).toHaveLength(
      readFileSync(join(plain, file), 'utf8').split('\n').length,
    );
  }
});

test('what is to be typed stands on one line, and a shell reads the same', async () => {
  const { execFileSync } = await import('node:child_process');
  for (const word of ['plain', "it's", odd, `a\\\\b'${odd}`, '$HOME `x`']) {
    const typed = shellWord(word);
    expect(typed).toMatch(/^[\x20-\x7e]+$/);
    expect(execFileSync('bash', ['-c', `printf %s ${typed}`], { encoding: 'utf8' })).toBe(word);
  }
});
