import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineRuntime, defineTaskset } from '@vf/core';
import type { Capabilities, RuntimeOffers } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { RolePlan, TaskInstance } from '@vf/rollout';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Secrets, planHooks, resolveConfig } from '../src/index.ts';
import type { RunConfig } from '../src/index.ts';
import { imagesOf } from '../src/plan/check-boxes.ts';
import { differences } from '../src/plan/measured.ts';
import { misfits } from '../src/plan/misfits.ts';
import { chooseProvider } from '../src/plan/providers.ts';
import { keepImages } from '../src/play/keep-images.ts';

async function configOf(toml: string): Promise<RunConfig> {
  const cwd = mkdtempSync(join(tmpdir(), 'vf-plan-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, 'a.toml'), toml);
  return (await resolveConfig({ cwd, files: ['a.toml'], flags: [], userFile: null })).config;
}

describe('the provider', () => {
  const choose = async (
    toml: string,
    env: Readonly<Record<string, string>>,
    chosenBy: string | null = null,
  ) => {
    const { client, providers } = await configOf(toml);
    return chooseProvider(client, providers, new Secrets(env), chosenBy);
  };
  const refused = async (...args: Parameters<typeof choose>): Promise<VfError> => {
    const error: unknown = await choose(...args).catch((reason: unknown) => reason);
    if (!VfError.isInstance(error)) throw new Error('expected a VfError', { cause: error });
    return error;
  };

  test('is the one that is named, with its key', async () => {
    expect(await choose('client.provider = "anthropic"', { ANTHROPIC_API_KEY: 'k' })).toMatchObject(
      { id: 'anthropic', dialects: ['messages'] },
    );
  });

  test.each(['__proto__', 'constructor', 'toString'])('is none of JavaScript: %s', async (id) => {
    const error = await refused(`client.provider = "${id}"`, {});
    expect(error).toMatchObject({ code: 'config/invalid' });
    expect(error.message).toContain(`no provider "${id}"`);
  });

  test('is the one whose key is set, when none is named', async () => {
    expect(await choose('', { OPENROUTER_API_KEY: 'k' })).toMatchObject({ id: 'openrouter' });
  });

  test('is asked for when keys of several are set, or of none', async () => {
    const several = await refused('', { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' });
    expect(several).toMatchObject({
      code: 'config/invalid',
      message: 'keys of several providers are set: openai, anthropic',
    });
    expect((await refused('', {})).code).toBe('provider/no_key');
  });

  test('without its key is told with who chose it', async () => {
    const error = await refused(
      'client.provider = "openai"',
      {},
      'client.provider in nightly.toml:6',
    );
    expect(error.message).toBe(
      'OPENAI_API_KEY is not set (provider openai, chosen by client.provider in nightly.toml:6)',
    );
    expect(error.hint).toContain('--env-file .env');
  });

  test('that nobody knows is told with the nearest', async () => {
    expect((await refused('client.provider = "opnai"', {})).message).toBe(
      'no provider "opnai"; nearest: openai',
    );
  });

  test('may be a base URL of one’s own, or one of the config', async () => {
    expect(await choose('client.base_url = "http://127.0.0.1:1/v1"', {})).toMatchObject({
      id: 'custom',
      apiKeyVar: null,
      dialects: ['chat-completions', 'responses', 'messages'],
    });
    const mine =
      'client.provider = "mine"\n[providers.mine]\nbase_url = "http://h/v1"\napi_key_var = "MINE"\ndialects = ["messages"]';
    expect(await choose(mine, { MINE: 'k' })).toMatchObject({ id: 'mine', baseUrl: 'http://h/v1' });
  });

  test('takes overrides of its own values', async () => {
    const toml =
      'client.provider = "openai"\nclient.base_url = "http://proxy/v1"\nclient.dialects = ["chat-completions"]';
    expect(await choose(toml, { OPENAI_API_KEY: 'k' })).toMatchObject({
      baseUrl: 'http://proxy/v1',
      dialects: ['chat-completions'],
    });
  });
});

describe('hooks', () => {
  const { spec } = defineTaskset({
    load: () => [],
    rewards: { right: () => 1, tidy: { score: () => 0.5, weight: 0.1, priority: 2 } },
    metrics: { words: () => 3 },
    groupRewards: { rank: ({ traces }) => traces.map(() => 0) },
  });

  test('are the taskset’s own', async () => {
    const { rewards, metrics, groupWeights } = await planHooks(spec, await configOf(''));
    expect(rewards).toMatchObject([
      { name: 'right', weight: 1, priority: 0 },
      { name: 'tidy', weight: 0.1, priority: 2 },
    ]);
    expect(metrics).toMatchObject([{ name: 'words' }]);
    expect(groupWeights).toEqual({ rank: 1 });
  });

  test('are weighed and switched by the config', async () => {
    const config = await configOf(
      'rewards.tidy.weight = 0\nrewards.right.enabled = false\nrewards.rank.weight = 5\nmetrics.words.enabled = false',
    );
    const { rewards, metrics, groupWeights, problems } = await planHooks(spec, config);
    expect(rewards).toMatchObject([{ name: 'tidy', weight: 0 }]);
    expect([metrics, problems]).toEqual([[], []]);
    expect(groupWeights).toEqual({ rank: 5 });
  });

  test('are added from a module, by name or default', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'vf-hooks-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    writeFileSync(
      join(dir, 'terse.ts'),
      'export const terse = (ctx: object): number => 0.25;\nexport default (): number => 0.75;',
    );
    const config = await configOf(
      `rewards.terse.fn = "${dir}/terse.ts#terse"\nrewards.right.fn = "${dir}/terse.ts"`,
    );
    const { rewards } = await planHooks(spec, config);
    expect(rewards.map(({ name }) => name)).toEqual(['tidy', 'terse', 'right']);
    const scores = await Promise.all(
      rewards.map(async ({ score }) => score({} as Parameters<typeof score>[0])),
    );
    expect(scores).toEqual([0.5, 0.25, 0.75]);
  });

  test('that are not there are told with the nearest, and what could not be imported with why', async () => {
    const config = await configOf('rewards.tydy.weight = 2\nmetrics.more.fn = "/nowhere/x.ts#y"');
    const { problems } = await planHooks(spec, config);
    expect(problems).toMatchObject([
      {
        path: 'rewards.tydy',
        nearest: 'tidy',
        message: 'the taskset has none of this name; it has right, tidy, rank',
      },
      { path: 'metrics.more.fn', message: expect.stringContaining('/nowhere/x.ts') },
    ]);
  });
});

describe('what does not fit together', () => {
  const bare: RuntimeOffers = {
    images: false,
    policies: ['public'],
    policyChange: false,
    users: false,
    services: false,
  };
  const role = (
    capabilities: Capabilities,
    offers: RuntimeOffers = bare,
    limits: RolePlan['limits'] = {},
    client: Pick<RolePlan['client'], 'noTools' | 'noProviderTools'> = {},
  ) =>
    ({
      client,
      model: 'm',
      price: null,
      limits,
      harness: { id: 'h', config: {}, env: {}, spec: { capabilities } },
      runtime: { id: 'r', plugin: { offers } },
    }) as RolePlan;
  const task = (fields: object): TaskInstance => ({
    key: 'k',
    hash: '',
    row: {},
    task: { key: 'k', ...fields },
  });
  const withTools = defineTaskset({ load: () => [], needs: { tools: true } }).spec;
  const withTurns = defineTaskset({ load: () => [], next: () => null }).spec;
  const contained = defineTaskset({ load: () => [], needs: { container: true } }).spec;
  const plain = defineTaskset({ load: () => [] }).spec;
  const able: Capabilities = { mcp: true, resume: true, messages: true, systemPrompt: 'append' };

  test.each<[string, Parameters<typeof misfits>, string]>([
    [
      'an image without containers',
      [plain, [task({ image: 'x' }), task({ image: 'y' })], [role(able)]],
      '2 tasks name an image; runtime r has none',
    ],
    [
      'a container that is needed',
      [contained, [task({})], [role(able)]],
      'the taskset needs a container; runtime r is none',
    ],
    [
      'a policy that is not enforced',
      [plain, [task({ network: { mode: 'no-network' } })], [role(able)]],
      '1 task asks for the network policy no-network; runtime r cannot enforce it',
    ],
    [
      'tools that nobody takes',
      [withTools, [task({})], [role({})]],
      'the taskset has tools; harness h takes none',
    ],
    [
      'tools that the template of the model has no place for',
      [withTools, [task({})], [role(able, bare, {}, { noTools: 'It has none.' })]],
      'the taskset has tools, and each call with one would be refused: It has none.',
    ],
    [
      'tools of a provider that is none',
      [
        plain,
        [task({})],
        [
          role(
            { providerTools: { what: 'web search', off: 'harness.search = false' } },
            bare,
            {},
            {
              noProviderTools: 'Nobody runs it.',
            },
          ),
        ],
      ],
      'harness h offers web search, and each call with it would be refused: Nobody runs it.',
    ],
    [
      'a message list for an agent that takes text',
      [plain, [task({ prompt: [{ role: 'user', content: 'x' }] })], [role({})]],
      '1 task has a message list as prompt; harness h takes text',
    ],
    [
      'a system prompt that nobody takes',
      [plain, [task({ systemPrompt: 'x' })], [role({})]],
      '1 task has a system prompt; harness h takes none',
    ],
    [
      'skills that nobody takes',
      [plain, [task({ brings: { skills: true } }), task({})], [role(able)]],
      '1 task brings skills (k); harness h takes none',
    ],
    [
      'servers of a transport that nobody takes',
      [
        plain,
        Array.from({ length: 6 }, () => task({ brings: { mcp: ['sse', 'stdio', 'stdio'] } })),
        [role({ ...able, taskMcp: ['sse'] })],
      ],
      '6 tasks bring an MCP server over stdio (k, k, k, k, k, …); harness h takes none',
    ],
    [
      'turns of an agent that cannot resume',
      [withTurns, [task({})], [role({})]],
      'the taskset asks for further turns; harness h cannot resume',
    ],
    [
      'a cost limit without a price',
      [plain, [task({})], [role(able, bare, { maxCost: 1 })]],
      'm has no price, so a cost limit cannot be kept',
    ],
  ])('%s', (_what, args, message) => {
    expect(misfits(...args)).toMatchObject([{ message, fix: expect.stringMatching(/./) }]);
  });

  test('nothing, when all is offered', () => {
    const offers: RuntimeOffers = {
      ...bare,
      images: true,
      policies: ['public', 'no-network', 'allowlist'],
    };
    const tasks = [
      task({ image: 'x', network: { mode: 'no-network' }, systemPrompt: 's', prompt: [] }),
    ];
    expect(misfits(withTools, tasks, [role(able, offers)])).toEqual([]);
  });
});

describe('another measure', () => {
  const before = {
    measured: { 'sampling.temperature': 0.7, model: 'm' },
    tasks: { a: '1', b: '2' },
    images: { pulled: 'sha256:1', later: null, gone: 'sha256:2' },
  };
  const { images } = before;

  test('is told value by value with the source of the new one', () => {
    const after = {
      measured: { 'sampling.temperature': 1, model: 'm', 'limits.maxTurns': 3 },
      tasks: before.tasks,
      images,
    };
    expect(
      differences(before, after, (path) =>
        path === 'sampling.temperature' ? 'nightly.toml:9' : null,
      ),
    ).toEqual([
      { path: 'sampling.temperature', message: '0.7 → 1 (nightly.toml:9)' },
      { path: 'limits.maxTurns', message: 'unset → 3' },
    ]);
  });

  test('is told when an image is another one under its name, as far as both are known', () => {
    const after = { ...before, images: { pulled: 'sha256:9', later: 'sha256:3', more: 'x' } };
    expect(differences(before, after, () => null)).toEqual([
      { path: 'images.pulled', message: 'sha256:1 → sha256:9' },
    ]);
  });

  test('is not when tasks were added, but when they are gone or changed', () => {
    const changedTo = (tasks: Readonly<Record<string, string>>) =>
      differences(before, { measured: before.measured, tasks, images }, () => null);
    expect(changedTo({ a: '1', b: '2', c: '3' })).toEqual([]);
    expect(changedTo({ a: '1' })).toEqual([
      { path: 'tasks', message: '1 of 2 are no longer there: b' },
    ]);
    expect(changedTo({ a: '1', b: 'x' })).toEqual([
      { path: 'tasks', message: '1 have another content: b' },
    ]);
  });
});

describe('images', () => {
  const digests: Record<string, string | null> = { here: 'sha256:1', there: null };
  const plugin = defineRuntime({
    id: 'r',
    offers: { images: true, policies: [], policyChange: false, users: false, services: false },
    create: () => Promise.reject(new Error('no box is made here')),
    sweep: () => Promise.resolve([]),
    images: async (specs) =>
      specs.map(({ image, build }) => {
        if (build !== undefined) return { name: null, digest: `of ${build.context}` };
        return image === undefined ? null : { name: image, digest: digests[image] ?? null };
      }),
  });
  const roles = [{ runtime: { id: 'r', config: {}, plugin } }];
  const task = (key: string, fields: object): TaskInstance => ({
    key,
    hash: '',
    row: {},
    task: { key, ...fields },
  });
  const tasks = [
    task('a', { image: 'here' }),
    task('b', { image: 'there' }),
    task('c', { build: { context: '/c' } }),
    task('d', {}),
  ];

  test('are known by their names, or by the task that they are built for', async () => {
    expect(await imagesOf(tasks, roles, new AbortController().signal)).toEqual({
      here: 'sha256:1',
      there: null,
      'build of c': 'of /c',
    });
  });

  test('that were pulled during the run are added to its plan at the end', async () => {
    const added: unknown[] = [];
    const writer = { addToPlan: async (...fields: unknown[]) => void added.push(fields) };
    const images = await imagesOf(tasks, roles, new AbortController().signal);
    digests['there'] = 'sha256:2';
    await keepImages({ tasks, images, roles }, writer);
    expect(added).toEqual([
      ['images', { here: 'sha256:1', there: 'sha256:2', 'build of c': 'of /c' }],
    ]);
    await keepImages({ tasks, images: { here: 'sha256:1' }, roles }, writer);
    expect(added).toHaveLength(1);
  });
});
