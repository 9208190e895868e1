import { VfError } from '@vf/core/errors';
import { expect, test } from 'vitest';
import { errorText } from '../src/screen/error-text.ts';
import { hardStopText, stopText } from '../src/screen/stop-text.ts';

test('an error: what, where, fix, and the code last', () => {
  const invalid = new VfError('config/invalid', '2 problems in nightly.toml', {
    problems: [
      {
        file: 'nightly.toml',
        line: 14,
        column: 8,
        path: 'runtime.id = 7',
        message: 'expected text; installed: docker, subprocess',
      },
      {
        file: 'nightly.toml',
        line: 9,
        column: 1,
        path: 'sampling.temprature',
        message: 'unknown key',
        nearest: 'temperature',
      },
    ],
  });
  expect(errorText(invalid)).toBe(
    `vf: 2 problems in nightly.toml
  nightly.toml:9:1   sampling.temprature  unknown key; nearest: temperature
  nightly.toml:14:8  runtime.id = 7       expected text; installed: docker, subprocess   [config/invalid]`,
  );
  const misfit = new VfError('misfit/plan', 'this plan does not fit together', {
    problems: [
      {
        message: 'harness claude-code speaks messages; provider openai does not',
        fix: '--provider openrouter, or --harness codex',
      },
      { message: '312 tasks name an image; runtime subprocess has none', fix: '--runtime docker' },
    ],
  });
  expect(errorText(misfit)).toBe(
    `vf: this plan does not fit together
  harness claude-code speaks messages; provider openai does not    fix: --provider openrouter, or --harness codex
  312 tasks name an image; runtime subprocess has none    fix: --runtime docker   [misfit/plan]`,
  );
});

test('what was typed wrong is told on one line; what a program said last keeps its lines', () => {
  const typed = new VfError('usage/not_found', 'no episode "a\n\u001b[31m\tb" in run r');
  expect(errorText(typed)).toBe('vf: no episode "a␊␛[31m␉b" in run r   [usage/not_found]');
  const said = new VfError('harness/install_failed', 'npm failed; its last lines:\n\tno\r');
  expect(errorText(said)).toBe('vf: npm failed; its last lines:\n\tno␍   [harness/install_failed]');
});

test('only a fault of vf shows its stack', () => {
  const fault = new VfError('internal/unexpected', 'a fault', { cause: new Error('deep') });
  expect(errorText(fault)).toMatch(
    /^vf: a fault {3}\[internal\/unexpected\]\n {2}Error: deep\n {6}at /,
  );
  expect(errorText(new VfError('usage/invalid', 'no', { cause: new Error('deep') }))).toBe(
    'vf: no   [usage/invalid]',
  );
});

test('a hard stop says how to go on', () => {
  expect(hardStopText('outputs/k7fq', 'k7fq')).toBe(
    'what is complete is on disk\n  fix: vf resume k7fq   [cancelled]',
  );
});

test('a run that stopped because each rollout failed alike', () => {
  const text = stopText({
    status: 'stopped',
    reason: {
      code: 'same_failure',
      errorCode: 'harness/no_model_call',
      phase: 'agent',
      at: `${process.cwd()}/sums.ts:25:113`,
      message:
        'codex exited 1 after 0.3 s; its last lines:\nerror loading config: unknown variant `xhigh` for reasoning_effort',
    },
    summary: {
      run: 'k7fq',
      dir: 'outputs/k7fq',
      figures: { rollouts: 10 } as never,
      planned: { tasks: 5000, attempts: 1, rollouts: 5000 },
    },
  });
  expect(text).toBe(
    `vf: stopped after 10 of 5,000: each failed alike
  harness/no_model_call in agent: codex exited 1 after 0.3 s; its last lines:   at sums.ts:25:113
    | error loading config: unknown variant \`xhigh\` for reasoning_effort
  fix: try one with vf eval … -n 1, then start a new run   [harness/no_model_call]`,
  );
});

test('of very many problems the first are shown, and how many more', () => {
  const problems = Array.from({ length: 150_000 }, (_, i) => ({ path: `key${i}`, message: 'odd' }));
  const lines = errorText(new VfError('config/invalid', 'much is wrong', { problems })).split('\n');
  expect(lines).toHaveLength(202);
  expect(lines.at(-1)).toBe('  and 149800 more problems   [config/invalid]');
});
