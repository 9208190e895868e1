import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from './config.ts';
import { allPlaceholders, fill } from './placeholders.ts';
import { capabilitiesOf, problemsOf } from './settings.ts';

const acme = { name: 'acme', dialect: 'chat-completions', run: ['acme', '{prompt}'] };
const faults = (changes: object): unknown =>
  configSchema
    .safeParse({ ...acme, ...changes })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

const standing =
  '{prompt_file} {system_prompt_file} {model} {home} {workdir} {mcp_file} {base_url} {origin} {api_key}';

test('an unknown placeholder is refused with the known ones', () => {
  expect(faults({})).toEqual([]);
  expect(faults({ run: ['acme', '{promt}'] })).toEqual([
    `run.1: no placeholder {promt} here; known: {prompt} ${standing}`,
  ]);
  expect(faults({ files: { a: '{prompt}' } })).toEqual([
    `files.a: no placeholder {prompt} here; known: ${standing}`,
  ]);
  expect(faults({ install: ['acme', '{model}'] })).toEqual([
    'install.1: no placeholder {model} here; known: {workdir}',
  ]);
  const config = configSchema.parse(acme);
  expect(problemsOf({ config, env: { KEY: '{api_key}', X: '{key}' } })).toEqual([
    { path: 'harness.env.X', message: `no placeholder {key} here; known: ${standing}` },
  ]);
});

test('braces of JSON and of other languages are no placeholders', () => {
  expect(faults({ files: { a: '{"a": {"b": "{model}"}, "c": "{env:KEY} ${1}"}' } })).toEqual([]);
  expect(fill('{"m": "{model}", "{x}": {}}', { model: '{origin}', origin: 'o' })).toBe(
    '{"m": "{origin}", "{x}": {}}',
  );
});

test('a file to copy that is not there is told before the run', () => {
  const config = configSchema.parse({ ...acme, copy: { 'bin/agent': './nowhere.py', b: '/tmp' } });
  expect(problemsOf({ config, env: {} })).toEqual([
    {
      path: 'harness.copy.bin/agent',
      message: `there is no file ${join(process.cwd(), 'nowhere.py')}`,
    },
  ]);
});

test.each(['/etc/passwd', '../up', 'a/../../up', '.', ''])('no file at %j', (path) => {
  expect(faults({ files: { [path]: 'x' } })).toHaveLength(1);
  expect(faults({ copy: { [path]: 'x' } })).toHaveLength(1);
});

test('names and programs are plain', () => {
  expect(faults({ name: 'a/b' })).toHaveLength(1);
  expect(faults({ run: [] })).toHaveLength(1);
  expect(faults({ files: { '.acme/config.json': 'x', 'a..b': 'x' } })).toEqual([]);
});

test.each(['own-harness.md in docs', 'README', 'vf plugins show'])(
  'every placeholder stands in %s',
  (place) => {
    const pages: Readonly<Record<string, string>> = {
      'own-harness.md in docs': '../../../../docs/own-harness.md',
      README: '../README.md',
    };
    const page = pages[place];
    const text =
      page === undefined
        ? String(configSchema.shape.run.description)
        : readFileSync(join(import.meta.dirname, page), 'utf8');
    expect(allPlaceholders.filter((name) => !text.includes(`{${name}}`))).toEqual([]);
  },
);

test('what it can do follows from what it is handed', () => {
  expect(capabilitiesOf({ config: configSchema.parse(acme), env: {} })).toEqual({
    mcp: false,
    resume: false,
  });
  const all = configSchema.parse({ ...acme, continue: ['acme', '{system_prompt_file}'] });
  expect(capabilitiesOf({ config: all, env: { MCP: '{mcp_file}' } })).toEqual({
    mcp: true,
    taskMcp: ['stdio', 'sse', 'streamable-http'],
    resume: true,
    systemPrompt: 'append',
  });
});
