import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answerSums, byteTokenizerJson, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { LocalModelUnavailable, localTokenizer } from '@vf/local-model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { vfPlace } from '../cli/vf.ts';
import type { VfPlace } from '../cli/vf.ts';
import { EnvClient } from '../serve/env-client.ts';
import { ServeProcess } from '../serve/serve-process.ts';
import { templateBefore } from './template-server.ts';

const taskset = `
import { defineTaskset } from '@vf/core';
export default defineTaskset({
  load: () => ['2 + 3', '4 + 5'].map((prompt) => ({ key: prompt, prompt })),
  rewards: { one: () => 1 },
});
`;
/** Nothing listens there. */
const nowhere = 'http://127.0.0.1:9/v1';

let engine: ScriptedModel;
beforeAll(async () => {
  engine = await startScriptedModel({ script: answerSums() });
});
afterAll(() => engine.close());

interface Client {
  readonly base_url: string;
  readonly tokenizer?: string;
  readonly engine?: string;
  readonly renderer?: string;
  readonly replicas?: readonly string[];
}

/** A place with a config that trains through the engine. */
async function place(client: Client, sampling = ''): Promise<VfPlace> {
  const made = await vfPlace();
  await mkdir(join(made.dir, 'bytes'));
  await writeFile(join(made.dir, 'bytes/tokenizer.json'), JSON.stringify(byteTokenizerJson()));
  await writeFile(join(made.dir, 'tasks.ts'), taskset);
  const all = {
    type: 'train',
    engine: 'llama.cpp',
    renderer: 'qwen3',
    tokenizer: './bytes',
    ...client,
  };
  const lines = Object.entries(all).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const config = `model = "scripted"\n[taskset]\nid = "./tasks.ts"\n[client]\n${lines.join('\n')}\n${sampling}`;
  await writeFile(join(made.dir, 'config.toml'), config);
  return made;
}

/** Plays the first task, each time with other settings. */
async function askOf(client: EnvClient) {
  const [task] = (await client.call('tasks', { offset: 0, limit: 1 }))['tasks'] as {
    readonly key: string;
    readonly hash: string;
    readonly row: object;
  }[];
  return (sampling: object) =>
    client.call('run', {
      task_data: { vf: { key: task?.key, hash: task?.hash, row: task?.row }, prompt: '2 + 3' },
      client: { type: 'train', base_url: here() },
      model: 'scripted',
      sampling,
    });
}

const here = (): string => `${engine.url}/v1`;

describe('before the run', () => {
  test('a server that is gone is none the worse for one that answers [train/replicas]', async () => {
    const { run } = await place({ base_url: nowhere, replicas: [here()] });
    const events = await run('eval', '@', 'config.toml', '--retries.max-retries', '3');
    expect(events.at(-1)).toMatchObject({ type: 'run.finished' });
    const none = await place({ base_url: nowhere, replicas: ['http://127.0.0.1:19/v1'] });
    await expect(none.run('eval', '@', 'config.toml')).rejects.toThrow(/provider\/unreachable/);
  });

  test('stop words are refused where no logprob tells of them [train/renderer-refused]', async () => {
    const { run } = await place({ base_url: here() }, '[sampling]\nstop = ["END"]\n');
    await expect(run('eval', '@', 'config.toml')).rejects.toThrow(/sampling\.stop[^]*misfit\/plan/);
  });
});

const foreign = await localTokenizer().catch((error: unknown) => {
  if (LocalModelUnavailable.isInstance(error) && error.reason === 'no-python') return null;
  throw error;
});

test.runIf(foreign !== null)(
  'the tokenizer of another model is refused [train/renderer-refused]',
  async () => {
    const client = { base_url: here(), tokenizer: foreign ?? '', renderer: 'smollm2' };
    const { run } = await place(client);
    await expect(run('eval', '@', 'config.toml')).rejects.toThrow(/misfit\/tokenizer/);
  },
);

describe('an engine whose template is not that of the renderer', () => {
  test('is refused before the run, unless the renderer is meant [train/template]', async () => {
    const base_url = `${await templateBefore(engine.url, '[INST] You')}/v1`;
    const { run } = await place({ base_url });
    const refused = run('eval', '@', 'config.toml');
    await expect(refused).rejects.toThrow(/the engine "\[INST\] [^]*misfit\/template/);
    const events = await run('eval', '@', 'config.toml', '--client.other-template', 'true');
    expect(events.at(-1)).toMatchObject({ type: 'run.finished' });
  });

  test('ends vf serve before it serves [train/template]', async () => {
    const { run } = await place({ base_url: await templateBefore(engine.url, '[INST]') });
    await expect(run('serve', '@', 'config.toml')).rejects.toThrow(/misfit\/template/);
  });
});

describe('vf serve', () => {
  test('refuses an engine of another kind before it serves [train/renderer-refused]', async () => {
    const { run } = await place({ base_url: here(), engine: 'sglang' });
    await expect(run('serve', '@', 'config.toml')).rejects.toThrow(
      /has no \/generate[^]*misfit\/plan/,
    );
  });

  test('answers a setting that the engine would not hear of with an error [serve/train]', async () => {
    const { dir } = await place({ base_url: here() });
    await using server = await ServeProcess.start(dir, '@', 'config.toml');
    using client = new EnvClient(server.address);
    const ask = await askOf(client);
    const refused = await ask({ temperature: 1, extra_body: { made_up: 1, cache_salt: '3' } });
    expect(refused).toMatchObject({
      success: false,
      error: expect.stringMatching(
        /^misfit\/plan: sampling\.made_up: .*\(fix: leave it out/,
      ) as string,
    });
    const played = await ask({
      temperature: 1,
      extra_body: { cache_salt: '3', top_k: -1, min_p: 0 },
    });
    expect(played).toMatchObject({ success: true });
  });

  test('says once what a renderer cannot do, however many processes play [serve/train]', async () => {
    const client = { base_url: here(), renderer: 'chatml' };
    const { dir } = await place(client, '[serve]\nworkers = 2\n');
    await using server = await ServeProcess.start(dir, '@', 'config.toml');
    using asking = new EnvClient(server.address);
    const ask = await askOf(asking);
    const played = await Promise.all([ask({}), ask({})]);
    expect(played).toMatchObject([{ success: true }, { success: true }]);
    expect(server.errors.match(/"renderer chatml: no tools/g)).toHaveLength(1);
  });
});
