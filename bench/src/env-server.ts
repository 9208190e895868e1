import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PeerServer } from './env-server/peer-server.ts';
import { ServerClient } from './env-server/server-client.ts';
import { MeasuredProcess } from './processes/measured-process.ts';
import type { Play } from './run/player.ts';

/**
 * Processor time of a rollout that an environment server plays, by itself and in workers, against one of a run in its
 * own process, and against the server of verifiers: the same sums, the null harness, a model that answers at once from a process of its own.
 *
 *     env-server [--python PROGRAM]   PROGRAM has verifiers 0.4, and uv beside it
 */
const { values } = parseArgs({ options: { python: { type: 'string' } } });
const atOnce = 64;
const rollouts = 2_000;
const rounds = 5;
const warmUps = 2;
const spreadOver = 2;
const peerRollouts = 12;
const peerAtOnce = 4;
const most = 1.1;
const least = 5;

const folder = await mkdtemp(join(tmpdir(), 'vf-bench-'));
const model = await MeasuredProcess.start(new URL('./run/model.ts', import.meta.url), []);
const { url: modelUrl } = model.ready as { url: string };

const serverModule = new URL('./env-server/vf-server.ts', import.meta.url);

/** A server of ours, which plays by itself or in workers. */
class OurServer {
  readonly #process: MeasuredProcess;
  readonly #client: ServerClient;

  private constructor(process: MeasuredProcess) {
    this.#process = process;
    this.#client = new ServerClient((process.ready as { address: string }).address, modelUrl);
  }

  static async start(workers: number): Promise<OurServer> {
    const args = [String(atOnce), String(workers)];
    return new OurServer(await MeasuredProcess.start(serverModule, args));
  }

  play(): Promise<void> {
    return this.#client.play(rollouts, atOnce);
  }

  /** Microseconds of processor time so far, those of its workers too. */
  async cpu(): Promise<number> {
    return (await this.#process.used()).cpu + ((await this.#process.ask('workers')) as number);
  }

  stop(): void {
    this.#client.close();
    this.#process.stop();
  }
}

/** Microseconds for each rollout: of a server, of one with workers, and of a run in its own process, taken in turns. */
async function ours(): Promise<{ readonly [who in 'served' | 'spread' | 'run']: number }> {
  const alone = await OurServer.start(0);
  const spread = await OurServer.start(spreadOver);
  const player = await MeasuredProcess.start(new URL('./run/player.ts', import.meta.url), [folder]);
  const play: Play = { modelUrl, rollouts, atOnce };
  const turns = {
    served: { cpu: () => alone.cpu(), play: () => alone.play() },
    spread: { cpu: () => spread.cpu(), play: () => spread.play() },
    run: { cpu: async () => (await player.used()).cpu, play: () => player.ask(play) },
  };
  const costs = { served: 0, spread: 0, run: 0 };
  for (let i = -warmUps; i < rounds; i++) {
    for (const who of ['served', 'spread', 'run'] as const) {
      const before = await turns[who].cpu();
      await turns[who].play();
      if (i >= 0) costs[who] += ((await turns[who].cpu()) - before) / rollouts / rounds;
    }
  }
  alone.stop();
  spread.stop();
  player.stop();
  return costs;
}

/** Microseconds of the peer's server and its programs for each rollout. */
async function theirs(python: string): Promise<number> {
  const server = await PeerServer.start(python, peerAtOnce);
  const client = new ServerClient(server.address, modelUrl);
  try {
    // The first makes the environment of its program.
    await client.play(peerAtOnce, peerAtOnce);
    const before = await server.cpu();
    await client.play(peerRollouts, peerAtOnce);
    return ((await server.cpu()) - before) / peerRollouts;
  } finally {
    client.close();
    server.stop();
  }
}

const perSecond = (cost: number): string => (1e6 / cost).toFixed(cost > 1e5 ? 1 : 0);

const { served, spread, run } = await ours();
console.log(`${atOnce} at once: served ${served.toFixed(0)} µs, a run ${run.toFixed(0)} µs`);
console.log(`  ${(served / run).toFixed(2)} x (at most ${most})`);
console.log(`  ${perSecond(served)} rollouts a second of one core`);
console.log(`in ${spreadOver} workers: ${spread.toFixed(0)} µs, ${(spread / run).toFixed(2)} x`);
if (values.python !== undefined) {
  const peer = await theirs(values.python);
  console.log(`verifiers: ${(peer / 1000).toFixed(0)} ms, ${perSecond(peer)} rollouts a second`);
  console.log(`  ${(peer / served).toFixed(0)} x (at least ${least})`);
}
model.stop();
await rm(folder, { recursive: true });
