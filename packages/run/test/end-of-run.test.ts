import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineRuntime } from '@vf/core';
import type { Interception } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { single } from '@vf/rollout';
import type { RolePlan, SideModels } from '@vf/rollout';
import { RunWriter, readPlan, readSummary } from '@vf/store';
import { expect, onTestFinished, test } from 'vitest';
import { RunSession, Secrets, resolveConfig } from '../src/index.ts';
import type { RunPlan } from '../src/index.ts';

const unasked = () => Promise.reject(new Error('nothing is played in this test'));
const interception: Interception = { open: unasked };
const sideModels: SideModels = {
  find: () => {
    throw new Error('nobody is asked in this test');
  },
  ask: unasked,
};

/** Whose image was pulled since the plan was made. */
const runtime = defineRuntime({
  id: 'r',
  offers: { images: true, policies: [], policyChange: false, users: false, services: false },
  create: unasked,
  sweep: () => Promise.resolve([]),
  images: async () => [{ name: 'pulled', digest: 'sha256:1' }],
});

const role: RolePlan = {
  name: 'agent',
  trainable: true,
  scored: true,
  harness: {
    id: 'h',
    version: null,
    config: {},
    env: {},
    spec: { speaks: ['chat-completions'], capabilities: {}, open: unasked },
  },
  dialect: 'chat-completions',
  runtime: { id: 'r', plugin: runtime, config: {} },
  model: 'm',
  client: { send: unasked },
  sampling: {},
  price: null,
  limits: {},
  timeouts: {},
  timeoutMultiplier: 1,
  retries: { maxRetries: 0, rules: [], baseDelayMs: 1, maxDelayMs: 1 },
  keepFailedBoxes: false,
};

/** A run of no tasks: all that it does is end. */
async function runWithoutTasks(): Promise<{ session: RunSession; writer: RunWriter }> {
  const cwd = mkdtempSync(join(tmpdir(), 'vf-end-'));
  const run = { dir: join(cwd, 'run'), runId: 'k7fq2a', name: null, configToml: '', plan: {} };
  const writer = await RunWriter.create(run);
  onTestFinished(async () => {
    await writer.close();
    rmSync(cwd, { recursive: true });
  });
  const { config } = await resolveConfig({ cwd, files: [], flags: [], userFile: null });
  const plan: RunPlan = {
    config,
    episode: {
      environment: { id: 'single', spec: single, config: {} },
      taskset: {
        name: 't',
        spec: { load: () => [] },
        config: {},
        rewards: [],
        metrics: [],
        stops: [],
        groupWeights: {},
      },
      roles: { agent: role },
    },
    tasks: [],
    images: { pulled: null },
    sideModels: [],
    dialects: [],
    providers: {},
    plugins: [],
    folderName: 't--m--h',
    notes: [],
    close: () => Promise.resolve(),
  };
  const session = new RunSession({
    plan,
    run: { id: run.runId },
    writer,
    done: [],
    interception,
    toolHost: null,
    sideModels,
    secrets: new Secrets({}),
    emit: () => undefined,
    interrupt: new AbortController().signal,
  });
  return { session, writer };
}

test('at its end a run writes down its images and its summary', async () => {
  const { session, writer } = await runWithoutTasks();
  expect(await session.play()).toMatchObject({ status: 'complete', reason: null });
  expect(await readPlan(writer.dir)).toEqual({ images: { pulled: 'sha256:1' } });
  expect(await readSummary(writer.dir)).toMatchObject({ status: 'complete' });
});

test('a run that a disk stops at its very end has no summary that calls it complete', async () => {
  const { session, writer } = await runWithoutTasks();
  Object.assign(writer, {
    addToPlan: () => Promise.reject(new VfError('store/disk_full', 'no space left')),
  });
  expect(await session.play()).toMatchObject({
    status: 'stopped',
    reason: { code: 'disk', errorCode: 'store/disk_full' },
  });
  expect(await readSummary(writer.dir)).toBeNull();
});
