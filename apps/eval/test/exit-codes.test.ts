import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deliver, fail, say, startScriptedModel } from '@vf/testkit';
import type { ScriptFunction, ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { addition, emptyFolder, vf } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

let script: ScriptFunction = () => say('0');
let model: ScriptedModel;
const cwd = emptyFolder();

beforeAll(async () => {
  model = await startScriptedModel({ script: (request) => script(request) });
});
afterAll(() => model.close());
beforeEach(() => {
  script = () => say('0');
});

const run = (...args: string[]): Promise<Awaited<ReturnType<typeof vf>>> =>
  vf(['eval', addition, '-m', 'scripted', '--base-url', `${model.url}/v1`, ...args], { cwd });

test('0: every rollout has a score, be it 0', async () => {
  const { code, stdout } = await run('-n', '3', '-q');
  expect(stdout).toContain('reward           0.333');
  expect(code).toBe(0);
});

test('5: the mean reward is below the gate, and that is said', async () => {
  const says = 'reward 0.333 below min_reward 0.6';
  const quiet = await run('-n', '3', '-q', '--min-reward', '0.6');
  expect(quiet.code).toBe(5);
  expect(quiet.stderr).toContain(`vf: gate: ${says} (exit 5)`);
  expect(quiet.stdout).toContain(`  gate      ${says}`);
  const json = await run('-n', '3', '--run', 'gated', '--json', '--min-reward', '0.6');
  const last: unknown = JSON.parse(json.stdout.trim().split('\n').at(-1) ?? '');
  expect(last).toMatchObject({ type: 'run.finished', exit_code: 5, reason: says });
  expect((await vf(['show', 'gated'], { cwd })).stdout).toContain(`  gate      ${says}`);
  expect((await vf(['resume', 'gated'], { cwd })).stdout).toContain(`  gate      ${says}`);
  expect((await run('-n', '3', '-q', '--min-reward', '0.3')).code).toBe(0);
});

test('3: nothing is scored; a refused request is never a reward of 0', async () => {
  script = () => fail(400, { message: 'no such parameter' });
  const { code, stdout } = await run('-n', '3', '--run', 'refused');
  expect(code).toBe(3);
  expect(stdout).toContain('reward               –');
  expect(stdout).toMatch(/unscored {2}3 \(100 %\) {6}all as 0: 0\.000 {3}all as 1: 1\.000/);
  expect(stdout).toContain('errors    3 provider/invalid_request');
  expect(stdout).toMatch(/next {6}vf show refused --errors {6}vf resume refused \(3\)/);

  const shown = await vf(['show', 'refused', '--errors'], { cwd });
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(/^ {5}3 {2}provider\/invalid_request {3}in agent$/m);
  expect(shown.stdout).toContain('no such parameter');
  expect(shown.stdout).toMatch(/example {4}vf show refused \S+:1/);
  expect(shown.stdout).toContain('fix        vf resume refused');
});

test('3 or 0: fewer unscored ones than allowed', async () => {
  script = ({ call }) => (call === first + 1 ? fail(400, {}) : say('0'));
  let first = model.turns.length;
  const strict = await run('-n', '4', '-c', '1', '-q');
  expect(strict.code).toBe(3);
  first = model.turns.length;
  const loose = await run('-n', '4', '-c', '1', '-q', '--max-unscored', '50%');
  expect(loose.code).toBe(0);
});

test('4: all failing alike stops early and says how', async () => {
  script = () => fail(400, { message: 'unknown variant `xhigh`' });
  const { code, stderr } = await run(
    '-n',
    '20',
    '-c',
    '1',
    '--gate.stop-after',
    '4',
    '--run',
    'alike',
  );
  expect(code).toBe(4);
  expect(stderr).toContain('vf: stopped after 4 of 20: each failed alike');
  expect(stderr).toMatch(/provider\/invalid_request in agent: .*unknown variant `xhigh`/);
  expect(stderr).toMatch(
    /fix: try one with vf eval … -n 1, then vf resume alike {3}\[provider\/invalid_request\]/,
  );
});

test('4: a key refused by all calls is what the fix is about', async () => {
  script = () => fail(401, { message: 'who are you' });
  const { code, stderr } = await run('-n', '20', '-c', '1', '--gate.stop-after', '4');
  expect(code).toBe(4);
  expect(stderr).toMatch(
    /fix: check the key that client\.api_key_var names, then vf resume \S+ {3}\[provider\/auth\]/,
  );
});

test('4: a budget that is used up', async () => {
  const { code, stderr } = await run('-n', '20', '-c', '1', '--budget.tokens', '60');
  expect(code).toBe(4);
  expect(stderr).toMatch(
    /vf: stopped after \d+ of 20: the budget is used up \(\d+ of 60 tokens\)\n.* --budget\.tokens N, .*\[usage\/budget_spent\]/,
  );
});

test('2: a budget in dollars and a model without a price, with the lines to add', async () => {
  const refused = await run('-n', '2', '--budget', '1', '--run', 'dear');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(
    /^vf: budget\.cost cannot be kept: a model has no price\n {2}prices\."scripted" +no price is known for scripted at http:\S+ \(agent\)\n {2}fix: into a config file, dollars per million tokens:\n {4}\[prices\."scripted"\]\n {4}input = /,
  );
  expect(refused.stderr.trimEnd()).toMatch(/\[config\/no_price\]$/);
  expect(existsSync(join(cwd, 'outputs/dear'))).toBe(false);
});

test('4: a budget in dollars; resume goes on once it is raised, and not before', async () => {
  writeFileSync(join(cwd, 'prices.toml'), '[prices."scripted"]\ninput = 1000\noutput = 1000\n');
  const name = ['--run', 'dollars'];
  const stopped = await run('@', 'prices.toml', '-n', '6', '-c', '1', '--budget', '0.03', ...name);
  expect(stopped.code).toBe(4);
  expect(stopped.stderr).toMatch(
    /the budget is used up \(\$0\.\d+ of \$0\.030000\)\n {2}fix: vf resume dollars --budget N, with more than before/,
  );
  const asked = model.turns.length;
  const again = await vf(['resume', 'dollars', '-q'], { cwd });
  expect(again.code).toBe(4);
  expect(model.turns.length).toBe(asked);
  const next = /next .*vf resume dollars --budget N \(\d\)/;
  expect(again.stdout).toMatch(next);
  expect((await vf(['show', 'dollars'], { cwd })).stdout).toMatch(next);
  const raised = await vf(['resume', 'dollars', '-q', '--budget', '50'], { cwd });
  expect(raised.code).toBe(0);
  expect(raised.stdout).toMatch(/cost \$0\.\d+, \$0\.\d+ a solved rollout/);
});

test('4: a budget of time', async () => {
  script = () => [say('0'), deliver({ headDelayMs: 400 })].flat();
  const { code, stderr } = await run('-n', '20', '-c', '1', '--budget.time', '1', '--run', 'hasty');
  expect(code).toBe(4);
  expect(stderr).toMatch(/the budget is used up \(1 s\)\n {2}fix: vf resume hasty goes on/);
});

test('3 or 0: a count of unscored rollouts that is allowed; the reward gate comes after it', async () => {
  script = ({ call }) => (call === first + 1 ? fail(400, {}) : say('0'));
  let first = model.turns.length;
  expect((await run('-n', '4', '-c', '1', '-q', '--max-unscored', '1')).code).toBe(0);
  first = model.turns.length;
  const gated = await run('-n', '4', '-c', '1', '-q', '--max-unscored', '1', '--min-reward', '0.9');
  expect(gated.code).toBe(5);
});
