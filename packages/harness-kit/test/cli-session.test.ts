import type { ExecOptions, HarnessCtx, ProgramResult } from '@vf/core';
import { describe, expect, test } from 'vitest';
import { cliSession, lastLines, mcpServersJson, requireShell } from '../src/index.ts';
import type { CliEvidence } from '../src/index.ts';
import { noRuntime, signal } from './loop-rig.ts';

interface Started {
  readonly argv: readonly string[];
  readonly options: ExecOptions;
}

const ended: ProgramResult = {
  exitCode: 0,
  signal: null,
  stdout: '',
  stderr: '',
  truncated: false,
  timedOut: false,
  oomKilled: false,
  durationMs: 1,
};

/** A session in a box whose programs end as told; what they were started with is kept. */
async function open(
  run: (started: Started) => Promise<Partial<ProgramResult>>,
  evidence: () => CliEvidence = () => ({ session: 's1', failure: null }),
) {
  const started: Started[] = [];
  const written: Record<string, unknown> = {};
  const ctx: HarnessCtx = {
    config: {},
    rolloutId: 'r1',
    runtime: {
      ...noRuntime,
      async run(argv, options = {}) {
        const start = { argv, options };
        started.push(start);
        return { ...ended, ...(await run(start)) };
      },
      async write(path, data, options) {
        written[path] = [data, options?.mode];
      },
    },
    dialect: 'responses',
    endpoint: { url: 'http://x', bearer: 'b' },
    model: 'm1',
    systemPrompt: null,
    mcp: [],
    tools: [],
    skills: [],
    env: { MINE: 'user', BOTH: 'user' },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    signal,
  };
  const session = await cliSession({
    ctx,
    files: { '/home/config': 'x' },
    command: (prompt, conversation) => ({
      argv: ['agent', conversation ?? 'new'],
      env: { BOTH: 'agent', HERS: 'agent' },
      stdin: prompt,
      ...(prompt.startsWith('file:') ? { files: { '/home/prompt': prompt } } : {}),
    }),
    evidence,
  });
  return { session, started, written };
}

describe('a session', () => {
  test('writes its files for the agent alone and starts one program a turn', async () => {
    const { session, started, written } = await open(async () => ({}));
    expect(written).toEqual({ '/home/config': ['x', 0o600] });
    const program = ended;
    expect(await session.turn('First.', signal)).toEqual({ status: 'completed', program });
    await session.turn([{ role: 'user', content: [{ type: 'text', text: 'Second.' }] }], signal);
    expect(started.map(({ argv, options }) => [argv, options.stdin])).toEqual([
      [['agent', 'new'], 'First.'],
      [['agent', 's1'], 'Second.'],
    ]);
    expect(started[0]?.options.env).toEqual({ MINE: 'user', BOTH: 'user', HERS: 'agent' });
  });

  test('writes the files of a turn before its program starts', async () => {
    const seen: unknown[] = [];
    const { session, written } = await open(async () => {
      seen.push(written['/home/prompt']);
      return {};
    });
    await session.turn('file: First.', signal);
    await session.turn('file: Second.', signal);
    expect(seen).toEqual([
      ['file: First.', 0o600],
      ['file: Second.', 0o600],
    ]);
  });

  test('a conversation that did not come about is not gone on with', async () => {
    const { session, started } = await open(
      async () => ({ exitCode: 1 }),
      () => ({ session: null, failure: null }),
    );
    await session.turn('First.', signal);
    await session.turn('Again.', signal);
    expect(started.map(({ argv }) => argv[1])).toEqual(['new', 'new']);
  });

  test('fails by its own words, else by the last lines of the program', async () => {
    const words = await open(
      async () => ({}),
      () => ({ session: null, failure: 'HTTP 400\n\nover' }),
    );
    expect(await words.session.turn('x', signal)).toMatchObject({
      status: 'failed',
      detail: 'HTTP 400\nover',
    });
    const stderr = await open(async () => ({ exitCode: 2, stderr: 'bad\nconfig\n', stdout: 'x' }));
    expect((await stderr.session.turn('x', signal)).detail).toBe('bad\nconfig');
    const stdout = await open(async () => ({ exitCode: null, stdout: 'said here\n' }));
    expect((await stdout.session.turn('x', signal)).detail).toBe('said here');
    const killed = await open(async () => ({ exitCode: 1, stderr: 'bye', oomKilled: true }));
    expect((await killed.session.turn('x', signal)).detail).toMatch(/^out of memory.*; bye$/);
  });

  test('closing ends the program that runs', async () => {
    const { session } = await open(
      ({ options }) =>
        new Promise((_resolve, reject) => {
          options.signal?.addEventListener('abort', () => reject(new Error('killed')));
        }),
    );
    const turn = session.turn('x', signal);
    await Promise.all([expect(turn).rejects.toThrow('killed'), session.close()]);
    await session.close();
  });

  test('a list of messages of which not all are the user’s is refused', async () => {
    const { session } = await open(async () => ({}));
    const turn = session.turn([{ role: 'assistant', content: 'I said.' }], signal);
    await expect(turn).rejects.toMatchObject({ code: 'misfit/plan' });
  });
});

test('last lines are few, short and not empty', () => {
  expect(lastLines('a\n\n b\r\n  \n')).toBe('a\n b');
  expect(lastLines('1\n2\n3', 2)).toBe('2\n3');
  expect(lastLines('x'.repeat(1000))).toBe(`${'x'.repeat(500)}…`);
  expect(lastLines('\n')).toBe('');
});

test('MCP servers are written as most agents read them', () => {
  const file = mcpServersJson({
    mcp: [{ name: 'task', url: 'http://h/mcp', bearer: 'b' }],
    taskMcp: [
      { transport: 'stdio', name: 'clock', command: '/bin/clock', args: ['--utc'] },
      { transport: 'sse', name: 'shop', url: 'http://shop/sse', headers: { 'X-Key': 'k' } },
    ],
  });
  expect(JSON.parse(file)).toEqual({
    mcpServers: {
      task: { type: 'http', url: 'http://h/mcp', headers: { Authorization: 'Bearer b' } },
      clock: { type: 'stdio', command: '/bin/clock', args: ['--utc'] },
      shop: { type: 'sse', url: 'http://shop/sse', headers: { 'X-Key': 'k' } },
    },
  });
});

test('an agent that needs a shell of its own is not started without one', async () => {
  const boxThat = (exitCode: number) => ({
    ...noRuntime,
    run: async () => ({ ...ended, exitCode }),
  });
  await requireShell('Acme', ['bash', 'zsh'], boxThat(0), signal);
  await expect(requireShell('Acme', ['bash', 'zsh'], boxThat(1), signal)).rejects.toMatchObject({
    code: 'harness/open_failed',
    message: 'Acme needs bash or zsh in the box, and there is none',
  });
});
