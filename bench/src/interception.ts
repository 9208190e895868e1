import { Conversation } from './interception/conversation.ts';
import { MeasuredRelay } from './interception/measured-relay.ts';
import { startUpstream } from './interception/upstream.ts';

/**
 * Processor time of the interception server against a bare relay, side by side: conversations of 20 turns that grow
 * by 2 kB a turn, 32 at once, and conversations of 400 turns. Sums of interleaved warm runs in several pairs of processes:
 * what one process takes for the same calls differs from the next by a half, whichever program it runs.
 */
const atOnce = 32;
const turns = 20;
const pairs = 4;
/** Runs before the first that counts: both programs are to be compiled by then. */
const warmUps = 32;
const runs = 6;

interface Relays {
  readonly bare: MeasuredRelay;
  readonly vf: MeasuredRelay;
}

interface Costs {
  bare: number;
  vf: number;
}

async function startRelays(): Promise<Relays> {
  return {
    bare: await MeasuredRelay.start('../relay-bare.ts', upstream.url),
    vf: await MeasuredRelay.start('../relay-interception.ts', upstream.url),
  };
}

/** Microseconds per call of one run. */
async function run(relay: MeasuredRelay, isStreamed: boolean): Promise<number> {
  const places = await relay.open(atOnce);
  const before = await relay.cpu();
  await Promise.all(places.map((place) => new Conversation(place, isStreamed).play(turns)));
  const used = (await relay.cpu()) - before;
  await relay.close();
  return used / (atOnce * turns);
}

/** Microseconds per call of one pair of processes. */
async function comparePair(isStreamed: boolean): Promise<Costs> {
  const { bare, vf } = await startRelays();
  const costs: Costs = { bare: 0, vf: 0 };
  for (let i = -warmUps; i < runs; i++) {
    const [bareCost, vfCost] = [await run(bare, isStreamed), await run(vf, isStreamed)];
    if (i < 0) continue;
    costs.bare += bareCost / runs;
    costs.vf += vfCost / runs;
  }
  bare.stop();
  vf.stop();
  return costs;
}

async function compare(isStreamed: boolean): Promise<void> {
  const name = isStreamed ? 'streamed, 64 events' : 'plain';
  const sum: Costs = { bare: 0, vf: 0 };
  for (let pair = 1; pair <= pairs; pair++) {
    const costs = await comparePair(isStreamed);
    print(`${name}, pair ${pair}`, costs.bare, costs.vf);
    sum.bare += costs.bare / pairs;
    sum.vf += costs.vf / pairs;
  }
  print(`${name}, all pairs`, sum.bare, sum.vf);
  const limit = isStreamed ? 1.5 : 2;
  console.log(`  ${(sum.vf / sum.bare).toFixed(2)} x the bare relay (at most ${limit})`);
}

/** Microseconds per call around two turns of a long conversation. */
async function growth(relay: MeasuredRelay): Promise<readonly [number, number]> {
  const conversations = (await relay.open(8)).map((place) => new Conversation(place, false));
  const play = async (count: number): Promise<number> => {
    const before = await relay.cpu();
    await Promise.all(conversations.map((conversation) => conversation.play(count)));
    return ((await relay.cpu()) - before) / (count * conversations.length);
  };
  await play(29);
  const early = await play(21);
  await play(329);
  const late = await play(41);
  await relay.close();
  return [early, late];
}

async function compareGrowth(): Promise<void> {
  const { bare, vf } = await startRelays();
  const sums = { bare: [0, 0] as [number, number], vf: [0, 0] as [number, number] };
  const rounds = 6;
  for (let i = -1; i < rounds; i++) {
    for (const [name, relay] of [
      ['bare', bare],
      ['vf', vf],
    ] as const) {
      const [early, late] = await growth(relay);
      // The first round warms both up.
      if (i < 0) continue;
      sums[name][0] += early / rounds;
      sums[name][1] += late / rounds;
    }
  }
  print('turn 40', sums.bare[0], sums.vf[0]);
  print('turn 400', sums.bare[1], sums.vf[1]);
  bare.stop();
  vf.stop();
  const own = [sums.vf[0] - sums.bare[0], sums.vf[1] - sums.bare[1]] as const;
  console.log(
    `  own part at turn 400: ${(own[1] / sums.bare[1]).toFixed(2)} x the relay's (at most 0.5)`,
  );
  console.log(`  own part from turn 40 to 400: ${(own[1] / own[0]).toFixed(1)} x (less than 10)`);
}

function print(name: string, bare: number, vf: number): void {
  console.log(`${name}: bare ${bare.toFixed(0)} µs, interception ${vf.toFixed(0)} µs a call`);
}

const upstream = await startUpstream();
const only = process.argv[2];
if (only === undefined || only === 'streamed') await compare(true);
if (only === undefined || only === 'plain') await compare(false);
if (only === undefined || only === 'growth') await compareGrowth();
upstream.close();
process.exit(0);
