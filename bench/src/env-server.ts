import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PeerServer } from './env-server/peer-server.ts';
import { ServerClient } from './env-server/server-client.ts';
import { MeasuredProcess } from './processes/measured-process.ts';
import type { Play } from './run/player.ts';

/**
 * Processor time of a rollout that an environment server plays, against one of a run in its own process, and against
 * the server of verifiers: the same sums, the null harness, a model that answers at once from a process of its own.
 *
 *     env-server [--python PROGRAM]   PROGRAM has verifiers 0.4
 */
const { values } = parseArgs({ options: { python: { type: 'string' } } });
const atOnce = 64;
const rollouts = 2_000;
const rounds = 5;
const warmUps = 2;
const peerRollouts = 12;
const peerAtOnce = 4;
const most = 1.1;
const least = 5;

const folder = await mkdtemp(join(tmpdir(), 'vf-bench-'));
const model = await MeasuredProcess.start(new URL('./run/model.ts', import.meta.url), []);
const { url: modelUrl } = model.ready as { url: string };

/** Microseconds of the server for each rollout, and of a run in its own process, taken in turns. */
async function ours(): Promise<{ readonly served: number; readonly run: number }> {
  const server = await MeasuredProcess.start(
    new URL('./env-server/vf-server.ts', import.meta.url),
    [String(atOnce)],
  );
  const player = await MeasuredProcess.start(new URL('./run/player.ts', import.meta.url), [folder]);
  const { address } = server.ready as { address: string };
  const client = new ServerClient(address, modelUrl);
  const costOf = async (
    process: MeasuredProcess,
    work: () => Promise<unknown>,
  ): Promise<number> => {
    const before = await process.used();
    await work();
    return ((await process.used()).cpu - before.cpu) / rollouts;
  };
  let [served, run] = [0, 0];
  const play: Play = { modelUrl, rollouts, atOnce };
  for (let i = -warmUps; i < rounds; i++) {
    const costs = [
      await costOf(server, () => client.play(rollouts, atOnce)),
      await costOf(player, () => player.ask(play)),
    ] as const;
    if (i < 0) continue;
    served += costs[0] / rounds;
    run += costs[1] / rounds;
  }
  client.close();
  server.stop();
  player.stop();
  return { served, run };
}

/** Microseconds of the peer's server and its programs for each rollout. */
async function theirs(python: string): Promise<number> {
  const server = await PeerServer.start(python, peerAtOnce);
  const client = new ServerClient(server.address, modelUrl);
  // The first makes the environment of its program.
  await client.play(peerAtOnce, peerAtOnce);
  const before = await server.cpu();
  await client.play(peerRollouts, peerAtOnce);
  const cost = ((await server.cpu()) - before) / peerRollouts;
  client.close();
  server.stop();
  return cost;
}

const perSecond = (cost: number): string => (1e6 / cost).toFixed(cost > 1e5 ? 1 : 0);

const { served, run } = await ours();
console.log(`${atOnce} at once: served ${served.toFixed(0)} µs, a run ${run.toFixed(0)} µs`);
console.log(`  ${(served / run).toFixed(2)} x (at most ${most})`);
console.log(`  ${perSecond(served)} rollouts a second of one core`);
if (values.python !== undefined) {
  const peer = await theirs(values.python);
  console.log(`verifiers: ${(peer / 1000).toFixed(0)} ms, ${perSecond(peer)} rollouts a second`);
  console.log(`  ${(peer / served).toFixed(0)} x (at least ${least})`);
}
model.stop();
await rm(folder, { recursive: true });
