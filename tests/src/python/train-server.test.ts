import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { LocalModelUnavailable, localTokenizer, startLocalModel } from '@vf/local-model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServeProcess } from '../serve/serve-process.ts';
import { findPython } from './venv.ts';
import { pythonWithVerifiers, verifiersVersions } from './verifiers.ts';

const run = promisify(execFile);
const taskset = resolve(import.meta.dirname, '../../fixtures/tasksets/two-sums.ts');
const script = resolve(import.meta.dirname, '../../python/train_server.py');
const python = await findPython();
const started = await Promise.all([startLocalModel({ ctx: 2048 }), localTokenizer()]).catch(
  (error: unknown) => {
    if (LocalModelUnavailable.isInstance(error) && error.reason === 'no-python') return null;
    throw error;
  },
);

interface Trained {
  readonly group: readonly {
    readonly sampled: readonly number[];
    readonly reported: readonly number[];
    readonly [fact: string]: unknown;
  }[];
  readonly stamped: boolean;
  readonly foreign: string;
  readonly nowhere: string;
}

afterAll(() => started?.[0].stop());

describe.runIf(python !== null && started !== null).each(verifiersVersions)(
  '[serve/train] a trainer asks for tokens as prime-rl does, with the client of verifiers %s and a real engine',
  (version) => {
    let folder = '';
    let server: ServeProcess;
    let trained: Trained;
    let origin = {};

    beforeAll(async () => {
      const [model, tokenizer] = started ?? [{ url: '', model: '' }, ''];
      folder = await mkdtemp(join(tmpdir(), 'vf-train-'));
      const bytes = await readFile(join(tokenizer, 'tokenizer.json'));
      origin = {
        engine: 'llama.cpp',
        renderer: 'smollm2',
        retention: 'all',
        tokenizer_sha256: createHash('sha256').update(bytes).digest('hex'),
        template_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      };
      await writeFile(
        join(folder, 'env.toml'),
        `[taskset]
id = ${JSON.stringify(taskset)}

[client]
type = "train"
engine = "llama.cpp"
renderer = "smollm2"
tokenizer = ${JSON.stringify(tokenizer)}

[retries]
max_retries = 0
`,
      );
      server = await ServeProcess.start(folder, '@', 'env.toml', '--workers', '2');
      const peer = await pythonWithVerifiers(python ?? '', version);
      const { stdout } = await run(peer, [script, server.address, model.url, model.model]);
      trained = JSON.parse(stdout) as Trained;
    }, 600_000);

    afterAll(async () => {
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });

    test('every turn of a group has the tokens and logprobs that it was sampled with, and says what made them [record/origins]', () => {
      expect(trained.group).toHaveLength(4);
      for (const { sampled, reported, ...facts } of trained.group) {
        expect(facts).toEqual({
          ok: true,
          errors: [],
          same_task: true,
          turns: 2,
          certain: false,
          engines_prompt: true,
          trainable: true,
          temperature: 0.5,
          rewards: ['right'],
          origins: [origin],
        });
        expect(sampled).toEqual(reported);
        expect(sampled.every((count) => count > 0 && count <= 12)).toBe(true);
      }
    });

    test('an episode takes the stamps of a trainer', () => {
      expect(trained.stamped).toBe(true);
    });

    test('a renderer of another model is refused by name', () => {
      expect(trained.foreign).toMatch(/^misfit\/tokenizer: /);
    });

    test('an engine that is not there is an error of its episode', () => {
      expect(trained.nowhere).toMatch(/^provider\//);
    });
  },
);
