import { describe, expect, test } from 'vitest';
import { rowOf } from '../src/request/peer-row.ts';

/** What the models of verifiers fill in where nobody says anything. */
const filled = {
  '0.4.0': {
    idx: 3,
    id: null,
    prompt: 'hi',
    skills: [],
    network_allow: ['*'],
    network_block: [],
    artifacts: [],
    artifact_max_bytes: 33_554_432,
    timeout: { setup: null, agent: null, finalize: null, scoring: null },
    resources: { cpu: null, memory: null, gpu: null, disk: null },
  },
  '0.4.1.dev86': {
    idx: 3,
    id: null,
    prompt: 'hi',
    scoring: {
      mode: 'shared',
      runtime: null,
      env: null,
      retries: { max_retries: 2, rules: [] },
      network: null,
      skip_on_truncated: false,
      skip_on_timeout: false,
    },
    skills: [],
    network: { allow: ['*'], block: [] },
    artifacts: [],
    artifact_max_bytes: 33_554_432,
    timeout: { setup: null, agent: null, finalize: null, scoring: null },
    resources: { cpu: null, memory: null, gpu: null, disk: null },
  },
};

describe.each(Object.entries(filled))('[serve/rows] a task of verifiers %s', (_, data) => {
  test('is the row that somebody wrote', () => {
    expect(rowOf(data)).toEqual({ prompt: 'hi' });
    expect(rowOf({ ...data, answer: 4, system_prompt: 'Be brief.', agent_user: 'root' })).toEqual({
      prompt: 'hi',
      answer: 4,
      systemPrompt: 'Be brief.',
      user: 'root',
    });
  });

  test('has its times and resources in the units of a row', () => {
    const timeout = { setup: null, agent: 90, scoring: 0.5 };
    const resources = { cpu: 2, memory: 0.5, gpu: 'A100:2', disk: 10 };
    expect(rowOf({ ...data, timeout, resources })).toEqual({
      prompt: 'hi',
      timeouts: { agent: 90_000, scoring: 500 },
      resources: { cpu: 2, memoryMb: 512, gpus: 2, diskMb: 10_240 },
    });
    expect(rowOf({ ...data, resources: { cpu: null, gpu: 'T4' } })['resources']).toEqual({
      gpus: 1,
    });
  });

  test('may hold fields as a row of vf has them', () => {
    const row = { resources: { cpu: 1, memoryMb: 512 }, network: { mode: 'no-network' } };
    expect(rowOf({ ...data, ...row })).toEqual({ prompt: 'hi', ...row });
  });

  test('keeps the row that vf-env wrote beside it', () => {
    const row = { network: { mode: 'no-network' }, answer: 1 };
    expect(rowOf({ ...data, vf: { key: 'k', hash: 'h', row } })).toEqual({ prompt: 'hi', ...row });
  });
});

describe('[serve/rows] what a task may reach', () => {
  test.each([
    [{ network_allow: [], network_block: [] }, { mode: 'no-network' }],
    [{ network_allow: ['a.com'] }, { mode: 'allowlist', hosts: ['a.com'] }],
    [{ network: { allow: [], block: [] } }, { mode: 'no-network' }],
    [{ network: { allow: ['a.com'], block: [] } }, { mode: 'allowlist', hosts: ['a.com'] }],
  ])('%j', (data, network) => {
    expect(rowOf(data)).toEqual({ network });
  });

  test('hosts that are blocked stay for the row to refuse', () => {
    const network = { allow: ['*'], block: ['a.com'] };
    expect(rowOf({ network })).toEqual({ network });
    expect(rowOf({ network_block: ['a.com'] })).toEqual({ network_block: ['a.com'] });
  });
});
