import type { IndexEntry } from '@vf/store';
import { makeTrace } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { linesScreen } from '../src/screen/lines-screen.ts';
import { liveScreen } from '../src/screen/live-screen.ts';
import { messageLines } from '../src/screen/message-lines.ts';
import { plain } from '../src/screen/palette.ts';
import { stopText } from '../src/screen/stop-text.ts';
import { errorsText } from '../src/show/errors-view.ts';
import { storedHeader, traceHeader } from '../src/show/header.ts';

const log = Array.from({ length: 60 }, (_, i) => `layer ${i}`);
const code = 'runtime/build_failed';
const message = [
  'Dockerfile cannot be built; its last lines:',
  ...log,
  '\u001b[91maptt-get: not found\u001b[0m\r',
  '',
  'returned a non-zero code: 127',
  '',
].join('\n');

const error = { code, message, phase: 'boot' } as const;
const finished = {
  type: 'rollout.finished',
  episode: 'e',
  task: 'a',
  attempt: 1,
  reward: null,
  rewards: {},
  stop: null,
  error,
  usage: { inputTokens: 0, outputTokens: 0 },
  cost: null,
  timing: { start: 0, end: 1, agentSeconds: 0, modelSeconds: 0 },
  offset: 0,
  length: 0,
} as const;

const entry: IndexEntry = {
  hash: '',
  ok: false,
  isTimeout: false,
  isTruncated: false,
  offset: 0,
  length: 1,
  episode: 'e',
  task: 'a',
  attempt: 1,
  reward: null,
  rewards: {},
  weights: {},
  metrics: {},
  stop: null,
  error,
  turns: 0,
  retries: 0,
  start: 0,
  end: 1,
  agentSeconds: 0,
  modelSeconds: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  cost: null,
};

const head = { title: 'swe', run: 'k7fq', dir: 'outputs/k7fq', budgetCost: null, isVerbose: false };

/** Everywhere that a failure is told, with the most lines that it may take there. */
const places: Readonly<Record<string, [most: number, text: () => string]>> = {
  'lines of progress': [
    9,
    () => {
      const lines: string[] = [];
      linesScreen({ ...head, everyMs: null }, (text) => lines.push(text)).event(finished);
      return lines.join('');
    },
  ],
  'above the live view': [
    9,
    () => {
      const written: string[] = [];
      const write = (text: unknown): boolean => written.push(String(text)) > 0;
      liveScreen(head, { write, columns: 100, rows: 40 }).event(finished);
      return written.join('');
    },
  ],
  'a run that stopped': [
    27,
    () =>
      stopText({
        status: 'stopped',
        reason: { code: 'same_failure', errorCode: code, phase: 'boot', message },
        summary: {
          run: 'k7fq',
          dir: 'outputs/k7fq',
          figures: { rollouts: 10 } as never,
          planned: { tasks: 10, attempts: 1, rollouts: 10 },
        },
      }) ?? '',
  ],
  'show --errors': [
    20,
    () => {
      const group = { code, fingerprint: '', phases: { boot: 1 }, at: null, count: 1 };
      const told = { ...group, example: entry, others: [], remedy: 'mend it', lastReply: null };
      return errorsText({ groups: [told], rollouts: 1, unscored: 1 }, 'k7fq', plain);
    },
  ],
  'show --errors, a second message': [
    20,
    () => {
      const group = { code, fingerprint: '', phases: { boot: 1 }, at: null, count: 1 };
      const example = { ...entry, error: { ...error, message: 'short' } };
      const told = { ...group, example, others: [message], remedy: 'mend it', lastReply: null };
      return errorsText({ groups: [told], rollouts: 1, unscored: 1 }, 'k7fq', plain);
    },
  ],
  'show, an episode': [50, () => storedHeader(entry, 'k7fq', plain).join('\n')],
  'show, an attempt that was played again': [
    20,
    () => {
      const trace = makeTrace();
      trace.errors.push({ type: code, message, phase: 'boot', attempt: 1 });
      return traceHeader(trace, plain).join('\n');
    },
  ],
};

describe.each(Object.entries(places))('%s', (_, [most, text]) => {
  test('a long message is told by its first and its last lines', () => {
    const shown = text();
    expect(shown).toContain('Dockerfile cannot be built');
    expect(shown).toContain('returned a non-zero code: 127');
    expect(shown.split('\n').length).toBeLessThanOrEqual(most);
  });

  test('without the colours of the program that said it', () => {
    expect(text()).not.toMatch(/␛|\[91m|␍/);
  });
});

test('what is left out is counted, and the last lines stay whole', () => {
  expect(messageLines(message, 5)).toEqual([
    'Dockerfile cannot be built; its last lines:',
    '… 59 more lines',
    'layer 59',
    'aptt-get: not found',
    'returned a non-zero code: 127',
  ]);
  expect(messageLines('one\n\ntwo\n', 5)).toEqual(['one', 'two']);
  expect(messageLines('', 5)).toEqual(['']);
  const [first, wide = ''] = messageLines(`${'x'.repeat(9_000)}\n${'y'.repeat(9_000)}`, 5);
  expect([first.length, wide.length]).toEqual([1_200, 300]);
  expect(messageLines('a\u0007b\u0000', 5)).toEqual([String.raw`a\u0007b\u0000`]);
});
