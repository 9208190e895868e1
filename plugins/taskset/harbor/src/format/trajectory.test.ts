import { expect, test } from 'vitest';
import { parseTrajectory } from './trajectory.ts';

const call = { tool_call_id: 'c1', function_name: 'bash', arguments: { cmd: 'ls' } };
const image = { type: 'image', source: { media_type: 'image/png', path: 'images/1.png' } };

test('an earlier conversation as messages', () => {
  const text = JSON.stringify({
    schema_version: 'ATIF-v1.7',
    agent: { name: 'a', version: '1' },
    steps: [
      { step_id: 1, source: 'system', message: 'Be brief.' },
      { step_id: 2, source: 'user', message: [{ type: 'text', text: 'List.' }, image] },
      {
        step_id: 3,
        source: 'agent',
        message: '',
        tool_calls: [call],
        observation: { results: [{ source_call_id: 'c1', content: 'a.txt' }, { content: 'x' }] },
      },
      { step_id: 4, source: 'agent', message: [{ type: 'text', text: 'One file.' }] },
    ],
  });
  expect(parseTrajectory(text)).toEqual({
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'List.' },
          { type: 'text', text: '[image images/1.png]' },
        ],
      },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'c1', name: 'bash', arguments: '{"cmd":"ls"}' }],
      },
      { role: 'tool', toolCallId: 'c1', content: 'a.txt' },
      { role: 'assistant', content: 'One file.' },
    ],
  });
});

test.each([
  ['{', ['']],
  ['{}', ['schema_version', 'steps']],
  ['{"schema_version":"ATIF-v2.0","steps":[]}', ['schema_version', 'steps']],
  ['{"schema_version":"ATIF-v1.0","steps":[{"source":"model","message":""}]}', ['steps.0.source']],
])('refused: %s', (text, paths) => {
  const read = parseTrajectory(text);
  expect('faults' in read ? read.faults.map(({ path }) => path) : null).toEqual(paths);
});
