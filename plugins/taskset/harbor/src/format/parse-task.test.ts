import { expect, test } from 'vitest';
import { parseTask } from './parse-task.ts';

function parsed(text: string) {
  const result = parseTask(text, 'task.toml');
  if ('refused' in result) throw new Error(JSON.stringify(result.refused));
  return result;
}

function refused(text: string) {
  const result = parseTask(text, 'task.toml');
  return 'refused' in result ? result.refused : [];
}

test('an empty file is a task with every default', () => {
  const { config, unknown } = parsed('');
  expect(unknown).toEqual([]);
  expect(config).toMatchObject({
    schema_version: '1.4',
    multi_step_reward_strategy: 'mean',
    agent: {},
    verifier: { timeout_sec: 600, env: {}, collect: [] },
    environment: { build_timeout_sec: 600, os: 'linux', env: {}, mcp_servers: [] },
    steps: [],
  });
  expect(config.agent.timeout_sec).toBeUndefined();
});

test('old spellings', () => {
  const { config, unknown } = parsed(`
    version = "1.0"
    multi_step_reward_mode = "mean"
    [environment]
    memory = "4G"
    storage = "1.5g"
    allow_internet = false
    os = "Linux"
    cpus = "0.5"
    [verifier]
    timeout_sec = "900.0"
    [verifier.environment]
    allow_internet = true
    memory = "512K"
  `);
  expect(unknown).toEqual([]);
  expect(config.schema_version).toBe('1.0');
  expect(config.verifier.timeout_sec).toBe(900);
  expect(config.environment).toMatchObject({
    memory_mb: 4096,
    storage_mb: 1536,
    network_mode: 'no-network',
    os: 'linux',
    cpus: 0.5,
  });
  expect(config.verifier.environment).toMatchObject({ memory_mb: 0, network_mode: 'public' });
});

test('new spellings win over old ones, and a size that is no text is dropped', () => {
  const { config } = parsed(`
    version = "2.0"
    schema_version = "1.1"
    [environment]
    memory = 2048
    allow_internet = true
    network_mode = "no-network"
  `);
  expect(config.schema_version).toBe('1.1');
  expect(config.environment.network_mode).toBe('no-network');
  expect(config.environment.memory_mb).toBeUndefined();
});

test('every fault is told at once, by line and key', () => {
  expect(
    refused(`[task]
name = "no-org"
[environment]
memory = "2Gi"
storage = "1G"
storage_mb = 2048
allowed_hosts = ["https://a.org"]
[environment.env]
N = 3
[verifier]
environment_mode = "shared"
[verifier.environment]
[[steps]]
name = "a/b"
[steps.agent]
timeout_sec = -1
`),
  ).toMatchObject([
    { line: 4, path: 'environment.memory', file: 'task.toml' },
    { line: 5, path: 'environment.storage', message: 'says 1024 MB, storage_mb says 2048' },
    { line: 2, path: 'task.name' },
    { line: 11, path: 'verifier.environment_mode' },
    { line: 7, path: 'environment.allowed_hosts[0]' },
    { line: 9, path: 'environment.env.N' },
    { line: 14, path: 'steps[0].name' },
    { line: 16, path: 'steps[0].agent.timeout_sec' },
  ]);
});

test('hosts need an allowlist', () => {
  expect(refused('[agent]\nallowed_hosts = ["a.org"]')).toMatchObject([
    { line: 2, path: 'agent.allowed_hosts', message: expect.stringContaining('allowlist') },
  ]);
});

test.each(['a.org:80', 'a.org/x', 'a.*.org', '*', '10.0.0.0/33', 'a..org', ''])(
  'no host: %j',
  (host) => {
    const text = `[environment]\nnetwork_mode = "allowlist"\nallowed_hosts = ["${host}"]`;
    expect(refused(text)).toMatchObject([{ path: 'environment.allowed_hosts[0]' }]);
  },
);

test.each(['a.org', 'A.org.', '*.a.org', '10.1.2.3', '10.0.0.0/8', '::1', 'fd00::/8', 'localhost'])(
  'a host: %j',
  (host) => {
    const text = `[environment]\nnetwork_mode = "allowlist"\nallowed_hosts = ["${host}"]`;
    expect(refused(text)).toEqual([]);
  },
);

test.each([
  ['artifacts = ["../x"]', 'artifacts[0]'],
  ['artifacts = ["relative"]', 'artifacts[0]'],
  ['artifacts = [{ source = "/x", destination = "manifest.json" }]', 'artifacts[0].destination'],
  ['multi_step_reward_strategy = "sum"', 'multi_step_reward_strategy'],
  ['[[steps]]\nname = "A"\n[[steps]]\nname = "a"', 'steps'],
  ['[environment]\nmcp_servers = [{ transport = "sse" }]', 'environment.mcp_servers[0].name'],
])('refused: %j', (text, path) => {
  expect(refused(text).map((problem) => problem.path)).toEqual([path]);
});

test('text that is no TOML is told by line', () => {
  expect(refused('[agent]\ntimeout_sec = = 3')).toMatchObject([{ line: 2, file: 'task.toml' }]);
});

test('keys without a meaning are named, wherever they stand', () => {
  const { unknown } = parsed(`
    mode = "x"
    [verifier]
    artifacts = ["/late"]
    [environment]
    image = "misspelt"
    memory_bm = 1
    [metadata.deep]
    anything = 1
    [[steps]]
    name = "a"
    [steps.agent]
    timeout = 3
    [hardware]
    gpu = true
  `);
  expect(unknown).toEqual([
    'mode',
    'verifier.artifacts',
    'environment.image',
    'environment.memory_bm (nearest: memory_mb)',
    'steps[0].agent.timeout (nearest: timeout_sec)',
    'hardware',
  ]);
});
