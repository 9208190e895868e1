import { hostname } from 'node:os';
import bash from '@vf/harness-bash';
import subprocess from '@vf/runtime-subprocess';
import { byTurn, callTool, say, startScriptedModel } from '@vf/testkit';
import { expect, test } from 'vitest';

const { signal } = new AbortController();
const log = { debug() {}, info() {}, warn() {}, error() {} };

/** What the model is told after the loop's shell was called so. */
async function toldAfter(args: string | object, config: object = {}): Promise<unknown> {
  await using model = await startScriptedModel({
    script: byTurn([callTool('bash', args), say('Done.')]),
  });
  const labels = { run: 'r', rollout: 'x', host: hostname(), pid: process.pid, started: 1 };
  const runtime = await subprocess.create({ config: {}, labels }, signal);
  try {
    const session = await bash.spec.open({
      config: bash.spec.config?.parse(config),
      rolloutId: 'x',
      runtime,
      dialect: 'chat-completions',
      endpoint: { url: model.url, bearer: 'b' },
      model: 'm',
      systemPrompt: null,
      mcp: [],
      tools: [],
      skills: [],
      env: { GREETING: 'hello' },
      log,
      signal,
    });
    expect(await session.turn('Go.', signal)).toEqual({ status: 'completed' });
    return model.turns.at(-1)?.call?.messages.at(-1)?.content;
  } finally {
    await runtime.stop();
  }
}

test.each([
  ['both outputs in order', 'echo $GREETING; echo err >&2; echo out', 'hello\nerr\nout'],
  ['an exit code', 'echo no; exit 3', 'no\n[exit code 3]'],
  ['silence', 'true', '[no output]'],
  ['a signal', 'kill -9 $$', '[ended by SIGKILL]'],
  ['what only bash knows', 'echo {1..3}', '1 2 3'],
])('tells %s', async (_name, command, told) => {
  expect(await toldAfter({ command })).toBe(told);
});

test('kills a command that takes too long, and says so', async () => {
  const told = await toldAfter({ command: 'echo begun; sleep 60' }, { commandTimeout: 0.5 });
  expect(told).toBe('begun\n[killed after 0.5 s]');
});

test('keeps both ends of long output', async () => {
  const told = await toldAfter({ command: 'seq 100000' }, { maxOutput: 1000 });
  expect(told).toMatch(/^1\n2\n[^]*\n\[… \d+ bytes left out …\]\n[^]*\n100000$/);
});

test('leaves wrong arguments and impossible commands to the model', async () => {
  const wrong = 'the arguments must be {"command": "<text>"}';
  expect(await toldAfter('{"command": 3}')).toBe(wrong);
  expect(await toldAfter('{"comm')).toBe(wrong);
  expect(await toldAfter({ command: `true ${'x'.repeat(200_000)}` })).toContain('too long');
});
