import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tokenTurns } from './token-trace/turns.ts';

/**
 * A trace of 100 turns and 128k tokens of qwen3, half of them sampled: what it holds of memory in a process of its own,
 * and its size on the wire against that of its ids and logprobs, four bytes each.
 */
const turns = 100;
const tokens = 128_000;
const mostMemory = 60;
const mostWire = 1.3;

interface Measured {
  readonly ids: number;
  readonly logprobs: number;
  /** Bytes of the messages. */
  readonly text: number;
  /** On the wire, with the tokens and without. */
  readonly bytes: number;
  readonly bare: number;
  /** Bytes that stay, and by which the process grew at most, packing included. */
  readonly alive: number;
  readonly peak: number;
  /** Milliseconds of packing. */
  readonly cpu: number;
}

const folder = mkdtempSync(join(tmpdir(), 'vf-bench-'));
const file = join(folder, 'turns.json');
writeFileSync(file, JSON.stringify(tokenTurns(turns, tokens)));
const module = fileURLToPath(new URL('token-trace/measure.ts', import.meta.url));
const argv = ['--conditions=@vf/source', module, file];
const { ids, logprobs, text, bytes, bare, alive, peak, cpu } = JSON.parse(
  execFileSync(process.execPath, argv, { encoding: 'utf8' }),
) as Measured;
rmSync(folder, { recursive: true });

const mb = (count: number): string => (count / 1e6).toFixed(1);
const own = 4 * (ids + logprobs);
const wire = bytes - bare;
console.log(`${turns} turns, ${ids} ids, ${logprobs} logprobs, ${mb(text)} MB of text`);
console.log(`memory: ${mb(alive)} MB stay, ${mb(peak)} MB more at most (at most ${mostMemory})`);
console.log(
  `wire: ${mb(wire)} MB of tokens, ${(wire / own).toFixed(2)} x the ${mb(own)} MB of ids and logprobs (at most ${mostWire})`,
);
console.log(
  `the whole: ${mb(bytes)} MB, ${(bytes / (own + text)).toFixed(2)} x with the text, packed in ${cpu.toFixed(0)} ms`,
);
