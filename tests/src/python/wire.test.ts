import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Episode, NodeTokens, TurnTokens } from '@vf/core';
import { tokensOf } from '@vf/core/trace';
import { makeEpisode, makeTrace } from '@vf/testkit';
import { packEpisode, unpackEpisode } from '@vf/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPython } from './venv.ts';
import { pythonWithVerifiers, verifiersVersions } from './verifiers.ts';

const python = await findPython();

interface Tensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

/** What verifiers says of one branch. */
interface PeerBranch {
  readonly ids: readonly number[];
  readonly mask: readonly number[];
  readonly content: readonly number[];
  /** Of sampled tokens alone. */
  readonly logprobs: readonly number[];
  readonly advantages: readonly (readonly number[] | null)[];
  readonly experts: Tensor | null;
  readonly sampling: readonly [ids: Tensor, counts: Tensor] | null;
}

/** Two turns, the second of them twice, with experts above 255, masks, marks of content and awkward logprobs. */
function branched(isWide: boolean): Episode {
  const trace = makeTrace({ turns: [] });
  const experts = (from: number, count: number) => {
    const list = Array.from({ length: 2 * count }, (_, at) => 2 * from + at + (isWide ? 300 : 0));
    const rows = isWide ? Uint16Array.from(list) : Uint8Array.from(list);
    return { rows, layers: 2, topK: 1, start: from };
  };
  const first: TurnTokens = {
    promptIds: Int32Array.of(1, 70_000, 3, 4),
    completionIds: Int32Array.of(5, 6),
    logprobs: Float32Array.of(-0.123_456_789, -1e-7),
    spans: [[0, 3]],
    isContent: Uint8Array.of(0, 1, 0, 0),
    routedExperts: experts(0, 5),
    samplingMask: { ids: Int32Array.of(5, 151_000, 6), counts: Int32Array.of(2, 1) },
  };
  const second: TurnTokens = {
    promptIds: Int32Array.of(1, 70_000, 3, 4, 5, 6, 7, 8, 4),
    completionIds: Int32Array.of(10),
    logprobs: Float32Array.of(-0),
    spans: [null, null, [6, 8]],
    isContent: new Uint8Array(9),
    routedExperts: experts(5, 4),
  };
  const messages = [
    { role: 'user' as const, content: 'hi' },
    { role: 'assistant' as const, content: 'yo' },
    { role: 'user' as const, content: 'go' },
  ];
  const { graph } = trace;
  const commit = (count: number, reply: string, turn: TurnTokens): void => {
    const said = messages.slice(0, count);
    const { at, matched } = graph.walk(graph.start([]), said);
    const tail = said.slice(matched).map((message) => ({ said: message }));
    const message = { role: 'assistant' as const, content: reply };
    graph.commit(at, tail, { message, turn }, { timestamp: 1 });
  };
  commit(1, 'yo', first);
  commit(3, 'a', second);
  commit(3, 'b', second);
  return { ...makeEpisode(), id: `wide-${isWide}`, task: trace.task, traces: [trace] };
}

const given = [branched(false), branched(true), makeEpisode()];

const tensor = (values: Uint8Array | Uint16Array | Int32Array, shape: number[]): Tensor => ({
  dtype: values.BYTES_PER_ELEMENT === 4 ? 'int32' : `uint${8 * values.BYTES_PER_ELEMENT}`,
  shape,
  values: [...values],
});

/** What we say of the same. */
function ours(episode: Episode): PeerBranch[] {
  return episode.traces.flatMap(({ branches }) =>
    branches.map((branch) => {
      const { ids, mask, isContent, routedExperts, samplingMask } = tokensOf(branch);
      const owned = branch.nodes.flatMap(({ tokens }): NodeTokens[] =>
        tokens === undefined ? [] : [tokens],
      );
      return {
        ids: [...ids],
        mask: [...mask],
        content: [...(isContent ?? [])],
        logprobs: owned.flatMap(({ logprobs }) => [...logprobs]),
        advantages: branch.nodes.map(() => null),
        experts: routedExperts === null ? null : tensor(routedExperts.rows, [ids.length, 2, 1]),
        sampling:
          samplingMask === null
            ? null
            : [
                tensor(samplingMask.ids, [samplingMask.ids.length]),
                tensor(samplingMask.counts, [ids.length]),
              ],
      };
    }),
  );
}

describe.runIf(python !== null).each(verifiersVersions)(
  'packed episodes in verifiers %s [serve/wire-form]',
  (version) => {
    let folder = '';
    let read: PeerBranch[][] = [];
    const files = (): string[] => given.map((_, at) => join(folder, `${at}.msgpack`));

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vf-wire-'));
      const paths = files();
      await Promise.all(
        given.map((episode, at) => writeFile(paths[at] ?? '', packEpisode(episode))),
      );
      const peer = await pythonWithVerifiers(python ?? '', version);
      const script = resolve(import.meta.dirname, '../../python/read_wire.py');
      const { stdout } = await promisify(execFile)(peer, [script, ...paths], {
        maxBuffer: 1 << 26,
      });
      read = JSON.parse(stdout) as PeerBranch[][];
    }, 600_000);
    afterAll(() => rm(folder, { recursive: true, force: true }));

    test('it reads every token, digit, expert and mask as we do', () => {
      expect(read).toEqual(given.map(ours));
      expect(read[0]?.[0]?.logprobs[0]).toBe(Math.fround(-0.123_456_789));
      expect(read.flat().map(({ experts }) => experts?.dtype)).toEqual([
        'uint8',
        'uint8',
        'uint16',
        'uint16',
        undefined,
      ]);
    });

    test('what it packs is read as it was', async () => {
      for (const [at, path] of files().entries()) {
        const back = unpackEpisode(await readFile(`${path}.again`));
        expect(ours(back)).toEqual(ours(given[at] ?? makeEpisode()));
      }
    });
  },
);
