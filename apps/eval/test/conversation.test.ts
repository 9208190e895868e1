import { makeTrace } from '@vf/testkit';
import type { Trace } from '@vf/core';
import { expect, test } from 'vitest';
import { fold } from '../src/show/fold.ts';
import { tracesText } from '../src/show/episode-view.ts';
import { fingerprint } from '../src/show/fingerprint.ts';
import { plain } from '../src/screen/palette.ts';

const options = { isFull: false, paint: plain, branch: null, call: null };

/** A trace of one turn, and a second conversation that the first one's reply called. */
function withSubAgent(): Trace {
  const trace = makeTrace({
    turns: [
      {
        prompt: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: '2 + 2' },
        ],
        reply: {
          role: 'assistant',
          content: null,
          toolCalls: [{ id: 'c1', name: 'ask', arguments: '{"who":"helper"}' }],
        },
      },
    ],
  });
  const { graph } = trace;
  const called = graph.nodes.length - 1;
  const helper = graph.commit(
    graph.start([{ name: 'look' }]),
    [{ said: { role: 'user', content: 'help' } }],
    { message: { role: 'assistant', content: 'four' } },
    { timestamp: 0 },
  );
  graph.link(helper.prompt[0] ?? 0, { node: called, type: 'subagent_call' });
  graph.commit(
    { ...graph.start([]), node: called },
    [{ said: { role: 'tool', toolCallId: 'c1', content: 'four', isError: true } }],
    { message: { role: 'assistant', content: 'It is 4.' } },
    { timestamp: 0 },
  );
  graph.commit(
    { ...graph.start([]), node: called },
    [{ said: { role: 'tool', toolCallId: 'c1', content: 'none' } }],
    { message: { role: 'assistant', content: 'I gave up.' } },
    { timestamp: 0 },
  );
  return trace;
}

test('branches and sub-agents are parted by rules, and each message is shown once', () => {
  const text = tracesText([withSubAgent()], options).join('\n');
  expect(text).toMatch(
    /── branch 1, sub-agent called in turn 1 ─+\n\nuser\n {2}tools 1: look\n {2}help/,
  );
  expect(text).toMatch(/── branch 2, a conversation of its own ─+\n\nsystem\n {2}Be brief\./);
  expect(text).toMatch(/tool {2}ask {2}error\n {2}four/);
  expect(text).toMatch(
    /── branch 3 \(main\), another way on from turn 1 ─+\n\ntool {2}ask\n {2}none/,
  );
  expect(text.match(/2 \+ 2/g)).toHaveLength(1);
});

test('--branch shows one from its root', () => {
  const text = tracesText([withSubAgent()], { ...options, branch: 3 }).join('\n');
  expect(text).toContain('Be brief.');
  expect(text).toContain('I gave up.');
  expect(text).not.toContain('It is 4.');
  expect(() => tracesText([withSubAgent()], { ...options, branch: 4 })).toThrow('no branch 4');
});

test('several traces of an episode follow each other; calls and branches are counted through', () => {
  const traces = [makeTrace({ id: 'a' }), makeTrace({ id: 'b', agent: { name: 'judge' } })];
  const text = tracesText(traces, options).join('\n');
  expect(text).toContain('── agent, rollout a ');
  expect(text).toContain('── judge, rollout b ');
  expect(text).toContain('call 2   10 in');
  expect(tracesText(traces, { ...options, call: 2 }).join('\n')).toContain('call 2, attempt 1');
});

test('a failed call stands where it happened', () => {
  const trace = makeTrace();
  const [call] = trace.calls;
  if (call === undefined) throw new Error('a made trace has a call');
  const error = { status: 429, code: 'rate_limit', message: 'slow down\nplease' } as const;
  trace.calls.unshift({ ...call, node: null, error, status: 429 });
  const lines = tracesText([trace], options);
  const at = lines.indexOf('call 1 failed, attempt 1   rate_limit 429: slow down please');
  expect(at).toBeGreaterThan(-1);
  expect(lines.findIndex((line) => line.startsWith('assistant'))).toBeGreaterThan(at);
});

test('long texts are folded, short ones and all with --full are not', () => {
  const lines = Array.from({ length: 226 }, (_, i) => `line ${i}`);
  const folded = fold(lines.join('\n'), false);
  expect(folded).toHaveLength(13);
  expect(folded.at(-1)).toBe('… 214 lines, 1.8 kB (--full)');
  expect(fold(lines.join('\n'), true)).toEqual(lines);
  expect(fold(lines.slice(0, 15).join('\n'), false)).toHaveLength(15);
  const wide = fold('x'.repeat(5000), false);
  expect(wide).toEqual(['x'.repeat(1600), '… 3.4 kB (--full)']);
  expect(fold('a\u001b[2Jb', false)).toEqual(['a␛[2Jb']);
});

test.each([
  ['exit 1 after 0.3 s', 'exit 22 after 14.25 s'],
  ['no /tmp/vf-ab12/x.txt', 'no /tmp/vf-cd34/y/z.txt'],
  ['POST http://127.0.0.1:81/v1: reset', 'POST https://api.example.com/v1/x: reset'],
  ['no number in "two" of task a-1', 'no number in "He said "5"\nand "six" of task b-22'],
  [
    'Unexpected token \'T\', "To solve"... is not JSON',
    'Unexpected token \'I\', "It is"... is not JSON',
  ],
  ['no number in “zwei”', 'no number in “drei oder vier”'],
  ["expected 'a word or two'", "expected 'something else'"],
  ['no number in "cut he', 'no number in "cut elsewhere'],
  ['box 3f2a9c1d77e0b1 is gone', 'box 91bb00aa12cd34 is gone'],
  [
    'call 0c1e9b52-2d5b-4b8e-9a52-3b8f2cdcba11 failed',
    'call aa1e9b52-2d5b-4b8e-9a52-3b8f2cdcba99 failed',
  ],
])('alike: %s', (a, b) => {
  expect(fingerprint(a)).toBe(fingerprint(b));
});

test('messages that say something else stay apart', () => {
  expect(fingerprint('unknown variant `xhigh`')).not.toBe(fingerprint('unknown variant `max`'));
  expect(fingerprint("reading 'by'")).not.toBe(fingerprint("reading 'length'"));
});
