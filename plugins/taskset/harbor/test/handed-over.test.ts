import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareGrading } from '../src/grade/grade-step.ts';
import { setUp } from '../src/play/begin.ts';
import { nextStep } from '../src/play/next-step.ts';
import { ScriptedBox } from './scripted-box.ts';
import { changed, graded, playOf } from './stage.ts';

const idle = () => new ScriptedBox(() => ({}));

test('MCP servers go to the agent, their credentials looked up now', async () => {
  const toml = `
    [[environment.mcp_servers]]
    name = "clock"
    transport = "stdio"
    command = "clock"
    args = ["-u"]
    [[environment.mcp_servers]]
    name = "shop"
    url = "http://shop/sse"
    headers = { Authorization = "Bearer \${SHOP_KEY}" }
  `;
  const dir = await changed('hello-file', { 'task.toml': toml });
  const { ctx } = await playOf(dir, { box: idle(), secrets: { SHOP_KEY: 'k' } });
  expect(await setUp(ctx)).toEqual({
    mcpServers: [
      { transport: 'stdio', name: 'clock', command: 'clock', args: ['-u'] },
      {
        transport: 'sse',
        name: 'shop',
        url: 'http://shop/sse',
        headers: { Authorization: 'Bearer k' },
      },
    ],
  });
  expect(JSON.stringify(ctx.task)).not.toContain('Bearer');
  const without = await playOf(dir, { box: idle() });
  await expect(setUp(without.ctx)).rejects.toMatchObject({
    message: expect.stringContaining('MCP server shop needs SHOP_KEY, which is not set'),
  });
});

test('the conversation before the first instruction is part of the prompt', async () => {
  const steps = [
    { source: 'user', message: 'Hi.' },
    { source: 'agent', message: 'Hello.' },
  ];
  const trajectory = JSON.stringify({ schema_version: 'ATIF-v1.7', steps });
  const dir = await changed('hello-file', { 'trajectory.json': trajectory });
  const { ctx } = await playOf(dir, { box: idle() });
  expect(ctx.task.prompt).toEqual([
    { role: 'user', content: 'Hi.' },
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: expect.stringMatching(/^Create the file/) },
  ]);
});

test('each step runs as its user: its own, the task’s, or the image’s', async () => {
  const toml = `
    [[steps]]
    name = "draft"
    [[steps]]
    name = "finish"
    agent = { user = 1001 }
  `;
  const dir = await changed('two-steps', { 'task.toml': toml });
  const box = graded({ 'reward.txt': '1' }, { 'reward.txt': '1' });
  const { ctx } = await playOf(dir, { box });
  expect(ctx.task.user).toBe('root');
  await setUp(ctx);
  expect(await nextStep(ctx)).toMatchObject({ runAs: 1001 });
  const setup = box.runs.find(({ command }) => command.endsWith('/app/setup.sh'));
  expect(setup?.options.user).toBe(1001);
});

test('a kind of GPU that is asked for is noted', async () => {
  const toml = '[environment]\ngpus = 1\ngpu_types = ["H100"]\n';
  const dir = await changed('hello-file', { 'task.toml': toml });
  const { ctx, warnings } = await playOf(dir, { box: idle() });
  await setUp(ctx);
  expect(warnings).toEqual(['any kind of GPU is taken']);
});

const withShop = {
  'environment/docker-compose.yaml': 'services: { shop: { image: shop } }\n',
  'task.toml': `
    artifacts = ["/app/hello.txt", { source = "/book.txt", service = "shop" }]
    [environment]
    cpus = 2
    memory_mb = 512
    env = { AISLE = "\${AISLE:-north}" }
    [verifier]
    environment_mode = "separate"
    [[verifier.collect]]
    command = "snapshot"
    [[verifier.collect]]
    command = "close the book"
    service = "shop"
  `,
};

test('a compose file is handed on with what Harbor lets it name', async () => {
  const dir = await changed('hello-file', withShop);
  const { ctx } = await playOf(dir, { box: idle() });
  expect(ctx.task).toMatchObject({
    build: { context: join(dir, 'environment') },
    compose: {
      files: [join(dir, 'environment/docker-compose.yaml')],
      variables: {
        CONTEXT_DIR: join(dir, 'environment'),
        MAIN_IMAGE_NAME: expect.stringMatching(/^hb__[0-9a-f]{32}$/),
        CPUS: '2',
        MEMORY: '512M',
        AISLE: '${AISLE:-north}',
      },
    },
  });
});

test('main is looked at first and stopped before the services are', async () => {
  const dir = await changed('hello-file', withShop);
  const order: string[] = [];
  const box = new ScriptedBox(({ command }, self) => {
    if (command.includes('snapshot')) order.push(`main hook, stopped ${self.stopped}`);
    return {};
  });
  const shop = new ScriptedBox(({ command }, self) => {
    order.push(`${command}, main stopped ${box.stopped}`);
    self.files.set('/book.txt', 'a lamp');
    return {};
  });
  box.services.set('shop', shop);
  box.files.set('/app/hello.txt', 'ship it');
  const second = idle();
  const { ctx, opened } = await playOf(dir, { box, second });
  await prepareGrading(ctx);
  expect(order).toEqual(['main hook, stopped 0', 'close the book, main stopped 1']);
  expect([...second.files]).toEqual([
    ['/app/hello.txt', 'ship it'],
    ['/book.txt', 'a lamp'],
  ]);
  expect(opened[0]?.compose?.variables).toMatchObject({ AISLE: 'north' });
});

test('a service that a box has not', async () => {
  const dir = await changed('hello-file', withShop);
  const { ctx } = await playOf(dir, { box: idle(), second: idle() });
  await expect(prepareGrading(ctx)).rejects.toThrow('no service shop');
});

test('files that .harborignore names stay here', async () => {
  const dir = await changed('hello-file', {
    'tests/.harborignore': '*.md\n!keep.md\n',
    'tests/notes.md': '',
  });
  const { ctx } = await playOf(dir, { box: graded({ 'reward.txt': '1' }) });
  await setUp(ctx);
  expect(ctx.state.task?.hasIgnored).toBe(true);
  expect(
    ['notes.md', 'keep.md', 'sub/a.md', 'test.sh', '.harborignore'].map((name) =>
      ctx.state.task?.leavesOut(`tests/${name}`),
    ),
  ).toEqual([true, false, true, false, true]);
  expect(ctx.state.task?.leavesOut('environment/notes.md')).toBe(false);
});
