import { makeTrace } from '@vf/testkit';
import { expect, test } from 'vitest';
import { plain } from '../src/screen/palette.ts';
import { traceHeader } from '../src/show/header.ts';

test('a trace shows what its judges said, how its users ended, and what both took', () => {
  const trace = makeTrace();
  trace.info['users'] = { sender: { turns: 2, ended: 'done' } };
  trace.info['judged'] = {
    style: { score: 0.25, verdict: { reasoning: 'Too\nlong\u001b[2J.', score: 1 } },
    kind: { score: null, verdict: 'own' },
  };
  const call = { by: 'style', model: 'judge-model', inputTokens: 100, outputTokens: 10 };
  trace.extraUsage.push({ ...call, cost: 0.1 }, { ...call, cost: 0.15 }, { ...call, by: 'sender' });
  trace.extraUsage.push({ inputTokens: 7, outputTokens: 3 });
  expect(traceHeader(trace, plain).slice(2)).toEqual([
    '  user      sender   2 turns   done',
    '  judged    style   0.250   Too long␛[2J.',
    '  judged    kind   –',
    '  beside    style   judge-model   200 in   20 out   cost $0.25',
    '  beside    sender   judge-model   100 in   10 out   cost –',
    '  beside    earlier tries   7 in   3 out   cost –',
  ]);
});

test('what somebody else wrote under these names does not break it', () => {
  const trace = makeTrace();
  Object.assign(trace.info, { users: 'two', judged: [null, 3, { score: 'good' }] });
  expect(traceHeader(trace, plain).slice(2)).toEqual(['  judged    2   –']);
});

test('what hooks noted: values beside each other, the end of a long text, steps by their numbers', () => {
  const trace = makeTrace();
  const output = Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n');
  trace.info['mine'] = {
    rewards: { reward: 0.5, style: null },
    verifier: { exit_code: 4, output },
    steps: [{ step: 'make', output: '', rewards: { reward: 1 } }, { step: '\u001b[2J' }],
  };
  Object.assign(trace.info, { note: 'short', artifacts: { kept: [] } });
  const rows = traceHeader(trace, plain).slice(2);
  expect(rows.slice(0, 4)).toEqual([
    '  info      mine.rewards   reward 0.5   style –',
    '  info      mine.verifier   exit_code 4',
    '  info      mine.verifier.output   the last 12 of 20 lines',
    '            | line 8',
  ]);
  expect(rows.slice(15)).toEqual([
    '  info      mine.steps.0   step make',
    '  info      mine.steps.0.rewards   reward 1',
    '  info      mine.steps.1   step ␛[2J',
    '  info      note   short',
  ]);
  expect(traceHeader(trace, plain, true)).toContain('            | line 0');
});
