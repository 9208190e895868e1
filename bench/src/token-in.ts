import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'undici';
import type { Place } from './interception/child.ts';
import { MeasuredRelay } from './interception/measured-relay.ts';
import { replyOf } from './token-in/reply.ts';

/**
 * Processor time of a call with exact tokens against the plain relay of the same text, beside an engine that answers at
 * once in a process of its own: conversations of 6 turns, 8 at once, each turn with 2,000 tokens that are new, all of
 * them sampled or nearly all of the prompt. Sums of interleaved warm runs.
 */
const atOnce = 8;
const turns = 6;
const warmUps = 4;
const runs = 6;
const most = 1.5;
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

interface Load {
  readonly name: string;
  /** Tokens that a turn adds to the prompt, and that its reply has. */
  readonly asked: number;
  readonly sampled: number;
  readonly isStreamed: boolean;
}

async function converse(place: Place, { asked, sampled, isStreamed }: Load): Promise<void> {
  const question = replyOf(asked).text;
  const { text: said } = replyOf(sampled);
  const messages: object[] = [{ role: 'system', content: 'You are an agent.' }];
  for (let turn = 0; turn < turns; turn++) {
    messages.push({ role: 'user', content: `${turn}: ${question}` });
    const { body, statusCode } = await request(`${place.url}/v1/chat/completions`, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${place.bearer}` },
      body: JSON.stringify({ model: 'm', stream: isStreamed, messages }),
    });
    const answer = await body.text();
    if (statusCode !== 200) throw new Error(`status ${statusCode}: ${answer.slice(0, 300)}`);
    messages.push({ role: 'assistant', content: said });
  }
}

/** Microseconds per call of one run. */
async function run(relay: MeasuredRelay, load: Load): Promise<number> {
  const places = await relay.open(atOnce);
  const before = await relay.cpu();
  await Promise.all(places.map((place) => converse(place, load)));
  const used = (await relay.cpu()) - before;
  await relay.close();
  return used / (atOnce * turns);
}

async function compare(load: Load): Promise<void> {
  const engine = fork(new URL('token-in/engine.ts', import.meta.url), [String(load.sampled)], {
    execArgv: ['--conditions=@vf/source'],
  });
  const [url] = (await once(engine, 'message')) as [string];
  const relay = await MeasuredRelay.start('../relay-interception.ts', url);
  const tokenIn = await MeasuredRelay.start('../relay-token-in.ts', url);
  let [relaySum, tokenSum] = [0, 0];
  for (let i = -warmUps; i < runs; i++) {
    const [relayCost, tokenCost] = [await run(relay, load), await run(tokenIn, load)];
    if (i < 0) continue;
    relaySum += relayCost;
    tokenSum += tokenCost;
  }
  const [relayed, exact] = [relaySum / runs, tokenSum / runs];
  console.log(
    `${load.name}: relay ${relayed.toFixed(0)} µs, exact tokens ${exact.toFixed(0)} µs a call`,
  );
  console.log(`  ${(exact / relayed).toFixed(2)} x the plain relay (at most ${most})`);
  relay.stop();
  tokenIn.stop();
  engine.disconnect();
}

const loads: readonly Load[] = [
  { name: 'streamed', asked: 50, sampled: 2000, isStreamed: true },
  { name: 'plain', asked: 50, sampled: 2000, isStreamed: false },
  { name: 'asked', asked: 2000, sampled: 64, isStreamed: true },
];
const only = process.argv[2];
for (const load of loads) if (only === undefined || only === load.name) await compare(load);
await agent.close();
process.exit(0);
