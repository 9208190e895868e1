import { expect, test, vi } from 'vitest';
import type { Progress } from '@vf/run';
import { liveRows } from '../src/screen/live-rows.ts';
import { liveScreen } from '../src/screen/live-screen.ts';
import { cut } from '../src/screen/one-line.ts';
import { linesScreen } from '../src/screen/lines-screen.ts';
import { chooseDisplay } from '../src/screen/start-screen.ts';

const head = {
  title: 'swe · gpt-5.2 · codex 0.171.0 · docker',
  run: 'k7fq',
  dir: 'outputs/swe--gpt-5.2--codex/k7fq',
  budgetCost: 200,
  isVerbose: false,
};

const progress: Progress = {
  done: 3118,
  total: 5000,
  scored: 3109,
  unscored: 9,
  retried: 41,
  phases: { boot: 4, setup: 3, agent: 52, finalize: 1, scoring: 1, 'backing-off': 5 },
  reward: 0.614,
  rewardInterval: [0.593, 0.635],
  inputTokens: 812_000_000,
  cachedInputTokens: 576_520_000,
  outputTokens: 9_400_000,
  cost: 118.4,
  unpriced: 0,
  elapsedSeconds: 3060,
  etaSeconds: 1860,
  errors: { 'provider/rate_limited': 3, 'runtime/out_of_memory': 6 },
};
const slowest = [
  {
    name: 'django-11099:3',
    phase: 'agent',
    turns: 61,
    since: 0,
    agent: { doing: 'model', since: 1_041_000 },
  },
  { name: 'flask-4045:2', phase: 'scoring', turns: 0, since: 412_000, agent: null },
] as const;
const now = 1_082_000;

test('the live view', () => {
  const rows = liveRows(
    head,
    { progress, slowest },
    { columns: 100, now, lastError: { at: now - 12_000, said: 'code: 127' } },
  );
  expect(rows).toEqual([
    'swe · gpt-5.2 · codex 0.171.0 · docker                                       k7fq   51 m',
    '  3,118 of 5,000  ████████████████████░░░░░░░░░░░░  62 %                 about 31 m left',
    '  reward 0.614 ± 0.021    unscored 9    retried 41',
    '  boot 4   setup 3   agent 52   backing off 5   score 2                       66 at once',
    '  tokens 812 M in (71 % cached)   9.4 M out               $118.40 of $200.00, unpriced 0',
    '  slowest  django-11099:3   agent     turn 61   18 m 02 s   waiting for the model 0:41',
    '           flask-4045:2     scoring             11 m 10 s',
    '  errors   runtime/out_of_memory 6   provider/rate_limited 3   (last: 12 s ago) code: 127',
    '  outputs/swe--gpt-5.2--codex/k7fq                                  Ctrl-C stops cleanly',
  ]);
});

test('no row is wider than the terminal, and control sequences of a task’s name are shown', () => {
  const evil = [{ ...slowest[0], name: 'a\u001b[2Jb' }];
  const rows = liveRows(head, { progress, slowest: evil }, { columns: 40, now, lastError: null });
  expect(Math.max(...rows.map(({ length }) => length))).toBeLessThan(40);
  expect(rows.join('\n')).not.toContain('\u001b');
  expect(rows.length).toBeLessThanOrEqual(12);
});

test('names of two columns a letter keep the columns, and are cut before the edge', () => {
  const wide = [
    { ...slowest[0], name: '評価タスク:1' },
    { ...slowest[1], name: '👩‍👩‍👧 家族' },
  ];
  const rows = liveRows(head, { progress, slowest: wide }, { columns: 100, now, lastError: null });
  expect(rows[5]).toBe(
    '  slowest  評価タスク:1   agent     turn 61   18 m 02 s   waiting for the model 0:41',
  );
  expect(rows[6]).toBe('           👩‍👩‍👧 家族        scoring             11 m 10 s');
  expect(cut('評価タスク', 6)).toBe('評価…');
  expect(cut('評価タスク', 10)).toBe('評価タスク');
});

test('the live screen paints over itself, with log lines above, and leaves nothing', () => {
  vi.useFakeTimers();
  const written: string[] = [];
  const write = (text: unknown): boolean => {
    written.push(String(text));
    return true;
  };
  const screen = liveScreen(head, { write, columns: 100, rows: 40 });
  screen.watch(() => ({ progress, slowest: [] }));
  vi.advanceTimersByTime(1000);
  expect(written).toHaveLength(5);
  expect(written[1]).toContain('\r\u001b[7A');
  expect(written[1]).not.toContain('\u001b[0Jswe');
  screen.say('a line');
  expect(written.at(-1)).toContain('\u001b[7A\u001b[0Ja line\nswe · gpt');
  screen.stop();
  expect(written.at(-1)).toBe('\r\u001b[7A\u001b[0J');
  vi.advanceTimersByTime(1000);
  expect(written).toHaveLength(7);
  vi.useRealTimers();
});

test('a terminal of few rows gets as many as it has', () => {
  const written: string[] = [];
  const write = (text: unknown): boolean => written.push(String(text)) > 0;
  const screen = liveScreen(head, { write, columns: 100, rows: 4 });
  screen.watch(() => ({ progress, slowest }));
  expect(written[0]?.match(/\n/g)).toHaveLength(3);
  screen.stop();
});

test('lines: a minute without news says how many calls wait, and less and less often', () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  const screen = linesScreen({ ...head, everyMs: 30_000 }, (text) => lines.push(text));
  let done = 3118;
  const since = Date.now() - 10_000;
  screen.watch(() => ({
    progress: { ...progress, done },
    slowest: [],
    waiting: { calls: 52, since },
  }));
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(1);
  vi.advanceTimersByTime(450_000);
  expect(lines.slice(1)).toEqual([
    'nothing new for 1 m: 52 calls wait for the model, the longest for 1 m 40 s\n',
    'nothing new for 2 m: 52 calls wait for the model, the longest for 2 m 40 s\n',
    'nothing new for 4 m: 52 calls wait for the model, the longest for 4 m 40 s\n',
    'nothing new for 8 m: 52 calls wait for the model, the longest for 8 m 40 s\n',
  ]);
  done++;
  vi.advanceTimersByTime(30_000);
  expect(lines[5]).toMatch(/^3,119 of 5,000/);
  screen.stop();
  vi.useRealTimers();
});

test('lines: each error code once, progress only when something changed', () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  const screen = linesScreen({ ...head, everyMs: 30_000 }, (text) => lines.push(text));
  screen.watch(() => ({ progress, slowest: [] }));
  const failed = {
    type: 'rollout.finished',
    episode: 'e',
    task: 'a',
    attempt: 1,
    reward: null,
    rewards: {},
    stop: null,
    error: { code: 'runtime/box_gone', message: 'the box\nlog' },
    usage: { inputTokens: 0, outputTokens: 0 },
    cost: null,
    timing: { start: 0, end: 1, agentSeconds: 0, modelSeconds: 0 },
    offset: 0,
    length: 0,
  } as const;
  screen.event(failed);
  screen.event({ ...failed, attempt: 2 });
  expect(lines).toEqual(['a:1 has no score: the box   [runtime/box_gone]\n    | log\n']);
  vi.advanceTimersByTime(120_000);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^3,118 of 5,000 {3}reward 0\.614 {3}unscored 9 {3}boot 4/);
  screen.stop();
  vi.useRealTimers();
});

test.each([
  [undefined, {}, true, 'live'],
  [undefined, { TERM: 'dumb' }, true, 'lines'],
  [undefined, { CI: 'true' }, true, 'lines'],
  [undefined, {}, false, 'lines'],
  [undefined, { VF_DISPLAY: 'quiet' }, true, 'quiet'],
  [undefined, { VF_DISPLAY: 'nonsense' }, true, 'live'],
  ['lines', { VF_DISPLAY: 'live' }, true, 'lines'],
] as const)('display %s with %o on a terminal: %s', (wanted, env, isTerminal, display) => {
  expect(chooseDisplay(wanted, env, isTerminal)).toBe(display);
});
