import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunSummary } from '@vf/run';
import { Agent, request } from 'undici';
import { MeasuredRelay } from './interception/measured-relay.ts';
import { MeasuredProcess } from './processes/measured-process.ts';
import type { Play } from './run/player.ts';

/**
 * Processor time of a whole rollout (task, one call through interception, scoring, on disk) against that of one call
 * through the bare relay, side by side. The model answers at once, in a process of its own.
 */
const warmUps = 3;
const runs = 5;
const most = 8;
const mostBytes = 600e6;

interface Programs {
  readonly modelUrl: string;
  readonly relay: MeasuredRelay;
  readonly vf: MeasuredProcess;
}

const body = JSON.stringify({
  model: 'scripted',
  messages: [{ role: 'user', content: 'What is 2 + 2?' }],
});

/** Sends `count` calls through the relay, over sockets of their own as a run does. @returns its microseconds a call */
async function relayed({ relay }: Programs, count: number, atOnce: number): Promise<number> {
  const [place] = await relay.open(1);
  const url = `${place?.url}/v1/chat/completions`;
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const headers = { 'content-type': 'application/json' };
  let left = count;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const reply = await request(url, { dispatcher: agent, method: 'POST', headers, body });
      await reply.body.text();
      if (reply.statusCode !== 200) throw new Error(`status ${reply.statusCode}`);
    }
  };
  const before = await relay.cpu();
  await Promise.all(Array.from({ length: atOnce }, work));
  const used = (await relay.cpu()) - before;
  await agent.close();
  return used / count;
}

/** Plays a run. @returns microseconds a rollout */
async function played(
  { vf, modelUrl }: Programs,
  rollouts: number,
  atOnce: number,
): Promise<number> {
  const before = await vf.used();
  const question: Play = { modelUrl, rollouts, atOnce };
  const summary = (await vf.ask(question)) as RunSummary;
  if (summary.figures.scored !== rollouts)
    throw new Error(`scored ${summary.figures.scored} of ${rollouts}`);
  return ((await vf.used()).cpu - before.cpu) / rollouts;
}

const rolloutsOf = (atOnce: number): number => Math.max(1000, 4 * atOnce);

async function compare(programs: Programs, atOnce: number): Promise<void> {
  const rollouts = rolloutsOf(atOnce);
  let [bare, whole] = [0, 0];
  for (let i = -warmUps; i < runs; i++) {
    const costs = [
      await relayed(programs, rollouts, atOnce),
      await played(programs, rollouts, atOnce),
    ] as const;
    if (i < 0) continue;
    bare += costs[0] / runs;
    whole += costs[1] / runs;
  }
  console.log(
    `${atOnce} at once: bare call ${bare.toFixed(0)} µs, whole rollout ${whole.toFixed(0)} µs`,
  );
  console.log(`  ${(whole / bare).toFixed(2)} x (at most ${most})`);
}

/** Of one run in a process that has done nothing else. */
async function printPeak(programs: Programs, atOnce: number): Promise<void> {
  await played(programs, rolloutsOf(atOnce), atOnce);
  const { peakBytes } = await programs.vf.used();
  console.log(`  peak ${(peakBytes / 1e6).toFixed(0)} MB (at most ${mostBytes / 1e6})`);
}

const folder = await mkdtemp(join(tmpdir(), 'vf-bench-'));
const model = await MeasuredProcess.start(new URL('./run/model.ts', import.meta.url), []);
const { url: modelUrl } = model.ready as { url: string };
const relay = await MeasuredRelay.start('../relay-bare.ts', modelUrl);
const only = Number(process.argv[2]);
const start = (): Promise<MeasuredProcess> =>
  MeasuredProcess.start(new URL('./run/player.ts', import.meta.url), [folder]);
for (const atOnce of Number.isNaN(only) ? [64, 1000] : [only]) {
  for (const measure of [compare, printPeak]) {
    const vf = await start();
    await measure({ modelUrl, relay, vf }, atOnce);
    vf.stop();
  }
}
relay.stop();
model.stop();
await rm(folder, { recursive: true });
