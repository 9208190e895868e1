import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { readXml } from './xml-answer.ts';

function reply(commands: string, more = ''): string {
  return `<response><analysis>a</analysis><plan>p</plan>${commands}${more}</response>`;
}

test('a plain answer; what it types is not unescaped', () => {
  const list = `<commands>
<keystrokes duration="0.5">echo &gt; a < b && c
</keystrokes>
<keystrokes duration="900">C-c</keystrokes>
</commands>`;
  expect(readXml(reply(list))).toEqual({
    commands: [
      { keystrokes: 'echo &gt; a < b && c\n', duration: 0.5 },
      { keystrokes: 'C-c', duration: 60 },
    ],
    isComplete: false,
    error: null,
    warnings: [],
  });
});

test.each([
  ['Nothing of the kind.', 'There is no <response>.'],
  ['<response><analysis>a', '<response> is not closed.'],
  [reply(''), 'There is no <commands>.'],
])('%s cannot be carried out', (text, error) => {
  expect(readXml(text)).toMatchObject({ commands: [], error });
});

test('a complete task needs no commands', () => {
  const done = '<task_complete> true </task_complete>';
  expect(readXml(reply('', done))).toMatchObject({ isComplete: true, error: null });
  expect(readXml(reply('<commands/>', done))).toMatchObject({ isComplete: true, commands: [] });
  const not = '<task_complete>false</task_complete>';
  expect(readXml(reply('<commands></commands>', not)).isComplete).toBe(false);
});

test('what is odd is told', () => {
  const odd = `Hm. <response><plan>p</plan><commands><keystrokes>a</keystrokes>
<keystrokes duration="soon">b</keystrokes></commands></response>`;
  expect(readXml(odd).warnings).toEqual([
    'Text around <response> was ignored.',
    'There is no <analysis>.',
    'Command 1 has no usable duration: 1 s is taken.',
    'Command 2 has no usable duration: 1 s is taken.',
    'Command 1 does not end in a newline, so the next one was typed on the same line.',
  ]);
  expect(readXml(reply('<commands>ls</commands>')).warnings).toEqual([
    'No <keystrokes> in <commands>.',
  ]);
});

test('any keystrokes without tags come through as they are', () => {
  const text = string({ unit: 'binary' }).filter((typed) => !typed.includes('</'));
  assert(
    property(text, (keystrokes) => {
      const list = `<commands><keystrokes duration="1">${keystrokes}</keystrokes></commands>`;
      expect(readXml(reply(list)).commands).toEqual([{ keystrokes, duration: 1 }]);
    }),
  );
});
