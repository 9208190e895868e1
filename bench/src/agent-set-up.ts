import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import type { Box, Harness, HarnessCtx, Runtime, Segment } from '@vf/core';
import claudeCode from '@vf/harness-claude-code';
import codex from '@vf/harness-codex';
import kimiCode from '@vf/harness-kimi-code';
import miniSweAgent from '@vf/harness-mini-swe-agent';
import opencode from '@vf/harness-opencode';
import pi from '@vf/harness-pi';
import qwenCode from '@vf/harness-qwen-code';
import terminus2 from '@vf/harness-terminus-2';
import docker from '@vf/runtime-docker';
import { fail, startScriptedModel } from '@vf/testkit';
import { told } from './told.ts';

/**
 * What each agent costs a box that was just started, once the toolbox of this machine is filled: until it is set up
 * (`install` and `open`), and until its first model call. The box and the way to its model are made before. Arguments
 * name the agents; default: all.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    image: { type: 'string', default: 'debian:bookworm' },
    boxes: { type: 'string', default: '5' },
  },
});
const most = 1000;

const agents: Readonly<Record<string, Harness>> = {
  codex,
  'claude-code': claudeCode,
  'kimi-code': kimiCode,
  opencode,
  pi,
  'qwen-code': qwenCode,
  'mini-swe-agent': miniSweAgent,
  'terminus-2': terminus2,
};

const runtime: Runtime = docker;
const { signal } = new AbortController();
const log = { debug() {}, info() {}, warn() {}, error() {} };

interface Times {
  readonly setUp: number;
  readonly firstCall: number;
}

/** One box: set up, then one turn that the model refuses at once. */
async function timed({ spec }: Harness): Promise<Times> {
  const labels = {
    run: 'bench',
    rollout: crypto.randomUUID(),
    host: hostname(),
    pid: process.pid,
    started: Date.now(),
  };
  const model = await startScriptedModel({ script: () => fail(400, { message: 'enough' }) });
  try {
    const config = await runtime.config?.parseAsync({ image: values.image, pull: 'never' });
    const box = await runtime.create({ config, labels }, signal);
    try {
      const url = await box.reach(model.url, signal);
      return await inBox(spec, box, { url, hostUrl: model.url }, () => model.received(1));
    } finally {
      await box.stop();
    }
  } finally {
    await model.close();
  }
}

async function inBox(
  spec: Harness['spec'],
  box: Box,
  { url, hostUrl }: { readonly url: string; readonly hostUrl: string },
  asked: () => Promise<unknown>,
): Promise<Times> {
  const config = await spec.config?.parseAsync({});
  const speaks = typeof spec.speaks === 'function' ? spec.speaks(config) : spec.speaks;
  const ctx: HarnessCtx = {
    config,
    rolloutId: 'bench',
    runtime: box,
    dialect: speaks[0] ?? '',
    endpoint: { url, hostUrl, bearer: 'bench' },
    model: 'nobody',
    systemPrompt: 'Be brief.',
    mcp: [],
    tools: [],
    skills: [],
    env: {},
    log,
    signal,
  };
  const began = performance.now();
  await spec.install?.(ctx);
  const session = await spec.open(ctx);
  const setUp = performance.now() - began;
  const turn = session.turn('Say yes.', signal);
  await Promise.race([asked(), turn.then(neverAsked)]);
  const firstCall = performance.now() - began;
  await turn;
  await session.close();
  return { setUp, firstCall };
}

/** A turn that ends first has asked nobody. */
function neverAsked(segment: Segment): never {
  throw new Error(`the agent did not ask its model: ${segment.detail ?? segment.status}`);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

const ms = (time: number): string => `${time.toFixed(0)} ms`.padStart(10);

console.log(`set-up in a box of ${values.image}, median of ${values.boxes} (at most ${most} ms)`);
console.log(`${'agent'.padEnd(16)} first box     later to its call`);
const wanted = ([id]: readonly [string, Harness]): boolean =>
  positionals.length === 0 || positionals.includes(id);
async function measured(id: string, harness: Harness): Promise<void> {
  const first = await timed(harness);
  const later: Times[] = [];
  for (let box = 0; box < Number(values.boxes); box++) later.push(await timed(harness));
  const setUp = median(later.map((times) => times.setUp));
  const firstCall = median(later.map((times) => times.firstCall));
  console.log(`${id.padEnd(15)}${ms(first.setUp)}${ms(setUp)}${ms(firstCall)}`);
  if (setUp > most) process.exitCode = 1;
}

await told(async () => {
  for (const [id, harness] of Object.entries(agents).filter(wanted)) await measured(id, harness);
});
