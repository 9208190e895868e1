import { array, assert, constantFrom, json, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from './json-answer.ts';

const plain = { analysis: 'a', plan: 'p', commands: [{ keystrokes: 'ls\n', duration: 0.5 }] };
const ls = { keystrokes: 'ls\n', duration: 0.5 };

test('a plain answer is taken without a word', () => {
  expect(readJson(JSON.stringify(plain))).toEqual({
    commands: [ls],
    isComplete: false,
    error: null,
    warnings: [],
  });
});

test.each([
  [true, true],
  ['true', true],
  ['YES', true],
  ['1', true],
  [1, false],
  ['no', false],
  [null, false],
])('task_complete %j is %j', (said, isComplete) => {
  expect(readJson(JSON.stringify({ ...plain, task_complete: said }))).toMatchObject({ isComplete });
});

test('text around it, and braces in its strings, do no harm', () => {
  const inner = { ...plain, commands: [{ keystrokes: 'echo "}{"\n', duration: 1 }] };
  const { commands, warnings } = readJson(`Well:\n${JSON.stringify(inner)}\nThere.`);
  expect(commands).toEqual(inner.commands);
  expect(warnings).toEqual([
    'There is text before the JSON object; it was ignored.',
    'There is text after the JSON object; it was ignored.',
  ]);
});

test('missing braces are added; an object is cut out of mixed text', () => {
  const broken = JSON.stringify(plain).slice(0, -2);
  expect(readJson(broken)).toMatchObject({
    commands: [ls],
    error: null,
    warnings: ['Missing closing braces were added.'],
  });
  expect(readJson(`I use {braces}. ${JSON.stringify(plain)}`)).toMatchObject({
    commands: [ls],
    warnings: ['The JSON object was cut out of mixed text.'],
  });
});

test.each([
  ['no braces at all', 'There is no JSON object in the answer.'],
  ['{"analysis": "a", "commands": []}', 'Missing: plan.'],
  ['{"task_complete": true}', 'Missing: analysis, plan, commands.'],
  [JSON.stringify({ ...plain, commands: 'ls' }), 'commands is no list.'],
  [JSON.stringify({ ...plain, commands: ['ls'] }), 'Command 1 is no object.'],
  [
    JSON.stringify({ ...plain, commands: [ls, { duration: 1 }] }),
    'Command 2 has no keystrokes, or they are no text.',
  ],
])('%s cannot be carried out', (reply, error) => {
  expect(readJson(reply)).toMatchObject({ commands: [], isComplete: false, error });
});

test('bad commands of a complete task are none', () => {
  const reply = JSON.stringify({ ...plain, commands: 'none', task_complete: true });
  expect(readJson(reply)).toMatchObject({ commands: [], isComplete: true, error: null });
});

test('what is odd about commands is told', () => {
  const commands = [
    { keystrokes: 'echo a' },
    { keystrokes: 'C-c', duration: '3' },
    { keystrokes: 'sleep 900\n', duration: 900, wait: true },
  ];
  const answer = readJson(JSON.stringify({ plan: 'p', analysis: 3, commands }));
  expect(answer.commands.map(({ duration }) => duration)).toEqual([1, 1, 60]);
  expect(answer.warnings).toEqual([
    'The fields are best in the order analysis, plan, commands.',
    'analysis is no text.',
    'Command 1 has no usable duration: 1 s is taken.',
    'Command 2 has no usable duration: 1 s is taken.',
    'Command 3 has unknown fields: wait.',
    'Command 1 does not end in a newline, so the next one was typed on the same line.',
  ]);
});

const keystrokes = string({ unit: 'binary' });

test('any keystrokes come through as they are, whatever stands around', () => {
  const noBraces = string().map((text) => text.replaceAll(/[{}"]/g, ''));
  assert(
    property(array(keystrokes), noBraces, noBraces, (typed, before, after) => {
      const commands = typed.map((text) => ({ keystrokes: text, duration: 1 }));
      const answer = readJson(before + JSON.stringify({ ...plain, commands }) + after);
      expect(answer.error).toBeNull();
      expect(answer.commands).toEqual(commands);
    }),
  );
});

test('no text makes it throw', () => {
  const pieces = constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', 'a', '"commands":[]');
  assert(property(array(pieces), (parts) => void readJson(parts.join(''))));
  assert(property(json(), (text) => void readJson(text)));
  expect(readJson('{'.repeat(20_000)).error).not.toBeNull();
});
