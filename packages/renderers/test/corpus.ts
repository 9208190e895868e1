import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Message, ToolSpec } from '@vf/core';

/** A conversation of the corpus. */
export interface Case {
  readonly name: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  readonly generation: boolean;
  readonly thinking?: boolean;
  readonly keepThinking?: boolean;
}

/** What a model's own template made of it, in Python; `error` when it raised. */
export interface Vector {
  readonly name: string;
  readonly text?: string;
  /** Of the ids by the model's own tokenizer, int32, little endian. */
  readonly sha256?: string;
  readonly error?: string;
}

function read(file: string): string {
  return readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8');
}

export const corpus = JSON.parse(read('corpus.json')) as readonly Case[];

export function vectorsOf(family: string): readonly Vector[] {
  const lines = read(`vectors/${family}.jsonl`).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Vector);
}

export function caseOf(name: string): Case {
  const found = corpus.find((entry) => entry.name === name);
  if (found === undefined) throw new Error(`The corpus has no ${name}.`);
  return found;
}

export function sha256(ids: ArrayLike<number>): string {
  return createHash('sha256')
    .update(new Uint8Array(Int32Array.from(ids).buffer))
    .digest('hex');
}
