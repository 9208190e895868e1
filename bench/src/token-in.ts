import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'undici';
import type { Place } from './interception/child.ts';
import { MeasuredRelay } from './interception/measured-relay.ts';
import { partsOf } from './token-in/parts.ts';
import { replyOf, tokenizer } from './token-in/reply.ts';

/**
 * Processor time of a call with exact tokens against the plain relay, once of the same text alone and once of the same
 * text with its ids and logprobs, beside an engine that answers at once in a process of its own: conversations of 6
 * turns, 8 at once, each turn with 2,000 tokens that are new: all of them sampled, nearly all of the prompt, or a
 * quarter sampled behind a prompt of the rest. Sums of interleaved warm runs; no two prompts of a run are the same.
 */
const atOnce = 8;
const turns = 6;
const runs = 6;
const most = 1.5;
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

interface Load {
  readonly name: string;
  /** Tokens that a turn adds to the prompt, and that its reply has. */
  readonly asked: number;
  readonly sampled: number;
  readonly isStreamed: boolean;
  /** Runs before it counts: where a call has little to do, the compiler is a large part at first. */
  readonly warmUps: number;
}

interface Told {
  readonly questions: readonly string[];
  readonly said: string;
  readonly isStreamed: boolean;
  /** More of the request's body. */
  readonly asks: object;
}

async function converse(place: Place, { questions, said, isStreamed, asks }: Told): Promise<void> {
  const messages: object[] = [{ role: 'system', content: 'You are an agent.' }];
  for (const question of questions) {
    messages.push({ role: 'user', content: question });
    const { body, statusCode } = await request(`${place.url}/v1/chat/completions`, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${place.bearer}` },
      body: JSON.stringify({ model: 'm', stream: isStreamed, ...asks, messages }),
    });
    const answer = await body.text();
    if (statusCode !== 200 || answer.includes('"error":'))
      throw new Error(`status ${statusCode}: ${answer.slice(0, 300)}`);
    messages.push({ role: 'assistant', content: said });
  }
}

/** One way to answer the calls, and what it has cost. */
interface Way {
  readonly name: string;
  readonly relay: MeasuredRelay;
  readonly asks: object;
  micros: number;
}

/** Microseconds per call of one run. */
async function run({ relay, asks }: Way, told: Omit<Told, 'questions' | 'asks'>, parts: Parts) {
  const places = await relay.open(atOnce);
  const before = await relay.cpu();
  await Promise.all(
    places.map((place, at) => converse(place, { ...told, asks, questions: parts(at) })),
  );
  const used = (await relay.cpu()) - before;
  await relay.close();
  return used / (atOnce * turns);
}

/** What one conversation of a run asks. */
type Parts = (conversation: number) => readonly string[];

async function compare({ name, asked, sampled, isStreamed, warmUps }: Load): Promise<void> {
  const engine = fork(new URL('token-in/engine.ts', import.meta.url), [String(sampled)], {
    execArgv: ['--conditions=@vf/source'],
  });
  const [url] = (await once(engine, 'message')) as [string];
  const plain = await MeasuredRelay.start('../relay-interception.ts', url);
  const exact = await MeasuredRelay.start('../relay-token-in.ts', url);
  const asks = { logprobs: true, return_token_ids: true };
  const ways: Way[] = [
    { name: 'relay of the text', relay: plain, asks: {}, micros: 0 },
    { name: 'relay of text, ids and logprobs', relay: plain, asks, micros: 0 },
    { name: 'exact tokens', relay: exact, asks: {}, micros: 0 },
  ];
  const { text: said } = replyOf(sampled);
  const all = partsOf(asked, (warmUps + runs) * atOnce * turns, tokenizer);
  for (let i = 0; i < warmUps + runs; i++) {
    const parts: Parts = (conversation) =>
      Array.from(
        { length: turns },
        (_, turn) => all[((i * atOnce + conversation) * turns + turn) % all.length] ?? '',
      );
    for (const way of ways) {
      const micros = await run(way, { said, isStreamed }, parts);
      if (i >= warmUps) way.micros += micros / runs;
    }
  }
  const ours = ways.at(-1)?.micros ?? Number.NaN;
  console.log(
    `${name}: ${ways.map((way) => `${way.name} ${way.micros.toFixed(0)} µs`).join(', ')}`,
  );
  for (const way of ways.slice(0, -1)) {
    console.log(`  ${(ours / way.micros).toFixed(2)} x the ${way.name} (at most ${most})`);
  }
  plain.stop();
  exact.stop();
  engine.disconnect();
}

const loads: readonly Load[] = [
  { name: 'streamed', asked: 50, sampled: 2000, isStreamed: true, warmUps: 2 },
  { name: 'plain', asked: 50, sampled: 2000, isStreamed: false, warmUps: 16 },
  { name: 'asked', asked: 2000, sampled: 64, isStreamed: true, warmUps: 16 },
  // What an agent's turn mostly is: a result of a tool, then some reasoning and the next call.
  { name: 'turn', asked: 1500, sampled: 500, isStreamed: true, warmUps: 8 },
];
const only = process.argv[2];
for (const load of loads) if (only === undefined || only === load.name) await compare(load);
await agent.close();
process.exit(0);
