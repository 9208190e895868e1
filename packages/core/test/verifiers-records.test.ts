import { describe, expect, it } from 'vitest';
import { decodeEpisode, encodeEpisode } from '../src/trace/index.ts';
import type { Episode } from '../src/trace/index.ts';
import codex from './fixtures/trace/verifiers-0.4-codex.json' with { type: 'json' };
import compaction from './fixtures/trace/verifiers-0.4-compaction.json' with { type: 'json' };
import plain from './fixtures/trace/verifiers-0.4-null.json' with { type: 'json' };
import providerError from './fixtures/trace/verifiers-0.4-provider-error.json' with { type: 'json' };
import tools from './fixtures/trace/verifiers-0.4-tools.json' with { type: 'json' };
import twoAgents from './fixtures/trace/verifiers-0.4-two-agents.json' with { type: 'json' };

/** Records that verifiers 0.4.0 wrote, one for each shape. */
const records = { codex, compaction, plain, providerError, tools, twoAgents };

/** Values that the Python models fill in for an absent field, at any place. */
function isDefault(value: unknown): boolean {
  if (value === null || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return JSON.stringify(value) === '{"start":0,"end":0}';
}

function withoutDefaults(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutDefaults);
  const fields = Object.entries(value).filter(([, field]) => !isDefault(field));
  return Object.fromEntries(fields.map(([key, field]) => [key, withoutDefaults(field)]));
}

/** The record without what vf adds to it. */
function withoutOurs(record: object): unknown {
  return JSON.parse(JSON.stringify(record), (key, value: unknown) =>
    key === 'vf' ? undefined : value,
  );
}

const firstTrace = (episode: Episode) => episode.traces[0] ?? expect.fail('no trace');

describe('a record of verifiers 0.4', () => {
  it.each(Object.entries(records))(
    'is written again as it was, but for defaults: %s [record/superset] [record/unknown-kept]',
    (_name, record) => {
      const again = encodeEpisode(decodeEpisode(record));
      expect(withoutDefaults(withoutOurs(again))).toEqual(withoutDefaults(record));
    },
  );

  it('tells what an agent did: codex [record/superset]', () => {
    const trace = firstTrace(decodeEpisode(codex));
    expect(trace.lastReply).toBe('The answer is 42.');
    expect(trace.agent.harness.id).toBe('host_codex');
    expect(trace.calls.map((call) => [call.dialect, call.finish])).toEqual([
      ['responses', 'tool_calls'],
      ['responses', 'tool_calls'],
      ['responses', 'stop'],
    ]);
    expect(trace.branches).toHaveLength(1);
    expect(trace.usage).toMatchObject({ inputTokens: 300, outputTokens: 30 });
  });

  it('has its branches: compaction [record/superset]', () => {
    const { branches } = firstTrace(decodeEpisode(compaction));
    expect(branches.map((branch) => branch.path)).toEqual([
      [0, 1, 2, 3, 4, 5, 6, 7],
      [0, 8, 9],
    ]);
  });

  it('has its failed calls and errors: endpoint down [record/superset]', () => {
    const trace = firstTrace(decodeEpisode(providerError));
    expect(trace.calls.map((call) => [call.node, call.error?.status])).toEqual([
      [null, 503],
      [null, 503],
      [null, 503],
    ]);
    expect(trace.errors[0]).toMatchObject({ type: 'ProviderError', status: 503 });
    expect(trace.reward).toBe(null);
  });
});
