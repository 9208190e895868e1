import { join } from 'node:path';
import type { Trace } from '@vf/core';
import { defineTaskset } from '@vf/core';
import { encodeEpisode } from '@vf/core/trace';
import fileEdit from '@vf/example-file-edit';
import sums from '@vf/example-proposer-solver/taskset';
import verifiers from '@vf/export-verifiers';
import { episodes } from '@vf/store';
import { answerSums, fail, say, shellCall, startScriptedModel, usage } from '@vf/testkit';
import type { Script } from '@vf/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { editScript, limit, neverDone } from '../agents/scripts.ts';
import { play } from '../run/play.ts';
import type { PlayOptions, Played } from '../run/play.ts';
import { findPython } from './venv.ts';
import { loadTraces, pythonWithVerifiers } from './verifiers.ts';
import type { PeerEpisode, PeerTrace } from './verifiers.ts';

const python = await findPython();

/** What the peer is to read in one of our traces. */
function expected(trace: Trace): PeerTrace {
  return {
    agent: trace.agent.name,
    ok: trace.ok,
    // The peer has no unscored: no reward sums up to 0, and `ok` says so.
    reward: trace.reward ?? 0,
    score: trace.ok ? trace.reward : null,
    stop: trace.stopCondition,
    turns: trace.turns,
    truncated: trace.isTruncated,
    errors: trace.errors.map(({ type }) => type),
    branches: trace.branches.map(({ messages, tools, nodes }) => ({
      roles: messages.map(({ role }) => role),
      tools: tools.map(({ name }) => name),
      sampled: nodes.filter(({ sampled }) => sampled).length,
    })),
    input_tokens: trace.usage.inputTokens,
  };
}

const work = defineTaskset({
  load: () => [{ key: 'work', prompt: 'Work.' }],
  rewards: { turns: ({ trace }) => trace.turns },
});

/** The first reply fills the context, so Codex asks for a summary and goes on from that. */
const filling: Script = ({ tools, messages, call }) => {
  if (call === 1) {
    const full = usage({ inputTokens: 90_000, outputTokens: 10 });
    return [shellCall(tools, 'echo one') ?? say('No shell.'), full].flat();
  }
  const small = usage({ inputTokens: 100, outputTokens: 10 });
  return [say(call === 2 ? `A summary of ${messages.length} messages.` : 'Done.'), small];
};

const runs: Readonly<Record<string, Omit<PlayOptions, 'model'> & { script: Script }>> = {
  'edits of Codex': { taskset: fileEdit, script: editScript, config: { 'harness.id': 'codex' } },
  'edits of Claude Code': {
    taskset: fileEdit,
    script: editScript,
    config: { 'harness.id': 'claude-code' },
  },
  'a compaction of Codex': {
    taskset: work,
    script: filling,
    config: { 'harness.id': 'codex', 'harness.compact_at': 50_000 },
  },
  'two roles': {
    taskset: sums,
    script: (request) =>
      JSON.stringify(request.messages).includes('Make up') ? say('7 + 8') : answerSums()(request),
    config: { 'environment.id': 'proposer-solver', 'environment.tries': 2 },
  },
  'a limit': {
    taskset: work,
    script: neverDone,
    config: { 'harness.id': 'bash', 'limits.max_turns': 2 },
  },
  'a provider that fails': {
    taskset: work,
    script: () => fail(401),
    config: {},
  },
};

/** What each run left, played before the tests. */
const played = new Map<string, Played>();
const cleanUps: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const cleanUp = (end: () => Promise<void>): unknown => cleanUps.push(end);
  for (const [name, { script, ...options }] of Object.entries(runs)) {
    await using model = await startScriptedModel({ script });
    played.set(name, await play({ ...options, model, cleanUp }));
  }
}, limit);

afterAll(() => Promise.all(cleanUps.map((end) => end())));

const runOf = (name: string): Played => played.get(name) ?? expect.fail(`no run ${name}`);

describe.runIf(python !== null)('verifiers 0.4 reads as we read', () => {
  const read = new Map<string, readonly PeerEpisode[]>();
  const readExported = new Map<string, readonly PeerEpisode[]>();

  // Its import alone takes 12 s of CPU time, so all files are read at once.
  beforeAll(async () => {
    const peer = await pythonWithVerifiers(python ?? '');
    const files = [...played.values()].map(({ dir }) => join(dir, 'traces.jsonl'));
    const exports = await Promise.all([...played.values()].map(exported));
    const lists = await loadTraces(peer, [...files, ...exports]);
    [...played.keys()].forEach((name, at) => {
      read.set(name, lists[at] ?? []);
      readExported.set(name, lists[files.length + at] ?? []);
    });
  }, 600_000);

  test.each(Object.keys(runs))('%s', (name) => {
    expect(read.get(name)).toEqual(
      runOf(name).episodes.map(({ id, task, traces }) => ({
        id,
        task: task.key,
        traces: traces.map(expected),
      })),
    );
  });

  test.each(Object.keys(runs))('%s, exported', (name) => {
    expect(readExported.get(name)).toEqual(read.get(name));
  });
});

/** Exports a run for verifiers. @returns the file */
async function exported({ dir }: Played): Promise<string> {
  async function* records() {
    for await (const episode of episodes(dir)) yield encodeEpisode(episode);
  }
  const path = join(dir, 'exported.jsonl');
  const { signal } = new AbortController();
  const omit = (): never => expect.fail('verifiers takes every episode');
  await verifiers.write({ episodes: records(), path, config: {}, signal, omit });
  return path;
}

test('a compaction of Codex is a conversation of its own, and so is what follows it', () => {
  const trace = runOf('a compaction of Codex').trace('work');
  expect(trace).toMatchObject({ turns: 3, stopCondition: 'agent_completed' });
  const [before, compaction, after, ...others] = trace.branches;
  expect(others).toEqual([]);
  expect(JSON.stringify(before?.messages)).toContain('echo one');
  expect(compaction?.tools).toEqual([]);
  expect(compaction?.messages.at(-1)?.content).toMatch(/^A summary of/);
  expect(JSON.stringify(after?.messages)).toContain('A summary of');
  expect(JSON.stringify(after?.messages)).not.toContain('echo one');
});
