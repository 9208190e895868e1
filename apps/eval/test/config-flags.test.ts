import { expect, test } from 'vitest';
import { configFlags } from '../src/args/config-flags.ts';

function valueOf(name: string, text: string): unknown {
  return configFlags([{ name, text }])[0]?.value;
}

const settings = { name: 'qwen3', enable_thinking: false };
const tables: readonly (readonly [flag: string, text: string, value: unknown])[] = [
  ['client.renderer', '{"name": "qwen3", "enable_thinking": false}', settings],
  ['client.renderer', '{ name = "qwen3", enable_thinking = false }', settings],
  ['client.renderer', 'qwen3', 'qwen3'],
  ['sampling.chat-template-kwargs', '{"enable_thinking": false}', { enable_thinking: false }],
  ['sampling.logit-bias', '{"50256": -100}', { 50256: -100 }],
  ['client.headers', '{"x-team": "a"}', { 'x-team': 'a' }],
  [
    'retries.rules',
    '[{"code": "provider/*", "max_retries": 8}]',
    [{ code: 'provider/*', max_retries: 8 }],
  ],
  ['roles.judge.sampling.logit-bias', '{"1": 2}', { 1: 2 }],
];

test.each(tables)('--%s %s is a table, as TOML or as JSON', (flag, text, value) => {
  expect(valueOf(flag, text)).toEqual(value);
});

const texts: readonly (readonly [flag: string, text: string])[] = [
  ['taskset.prompt', '{"a": 1}'],
  ['harness.run', '{"a": 1}'],
  ['roles.judge.harness.settings', '{"a": 1}'],
  ['task', '[ab]*'],
  ['sampling.guided-regex', '[a-z]+'],
  ['sampling.stop', '{'],
  ['client.renderer', '{name: qwen3}'],
];

test.each(texts)('--%s %s stays a text', (flag, text) => {
  const value = valueOf(flag, text);
  expect(flag === 'task' ? value : [value]).toEqual([text]);
});
