import type { ServedToolCall } from '../model-call.ts';
import type { EffectiveTask, RewardRecord, Trace } from '../trace.ts';
import { Columns } from './columns.ts';
import { readErrors } from './errors.ts';
import { boolean, damaged, index, integer, number, string } from './fields.ts';
import type { Fields } from './fields.ts';
import { assignAll } from './json-object.ts';
import { readPrompt } from './messages.ts';
import { readTool } from './tools.ts';
import { readUsage } from './usage.ts';

/** Fills in how the rollout went: scores, stop, errors, what else it spent. */
export function readOutcome(fields: Fields, vf: Fields | undefined, trace: Trace): void {
  assignAll(trace.rewards, readRewards(fields));
  assignAll(trace.metrics, readMetrics(fields));
  trace.extraUsage.push(...readExtraUsage(fields, vf));
  trace.errors.push(...readErrors(fields, vf));
  trace.toolCalls.push(...(vf?.children('tool_calls') ?? []).map(readServed));
  trace.effectiveTask = readEffective(vf?.child('effective_task'));
  trace.stopCondition = fields.optional('stop_condition', string) ?? null;
  trace.isCompleted = fields.optional('is_completed', boolean) ?? false;
  trace.ok = fields.optional('ok', boolean) ?? false;
  trace.isTimeout = fields.optional('is_timeout', boolean) ?? false;
  trace.rootReply = fields.optional('root_reply', string) ?? null;
  trace.mainLeaf = vf?.optional('main_leaf', index) ?? null;
  if (trace.mainLeaf !== null && trace.graph.nodes[trace.mainLeaf] === undefined) {
    damaged(fields.at('info.vf.main_leaf'), `no node ${trace.mainLeaf}`);
  }
}

function readRewards(fields: Fields): Record<string, RewardRecord | null> {
  const rewards = fields.child('rewards');
  return Object.fromEntries(
    (rewards?.keys() ?? []).map((name) => {
      const reward = rewards?.child(name);
      if (reward === undefined) return [name, null];
      const weight = reward.optional('weight', number) ?? 1;
      return [name, { score: reward.required('score', number), weight }];
    }),
  );
}

function readMetrics(fields: Fields): Record<string, number | null> {
  const metrics = fields.child('metrics');
  return Object.fromEntries(
    (metrics?.keys() ?? []).map((name) => [name, metrics?.optional(name, number) ?? null]),
  );
}

function readExtraUsage(fields: Fields, vf: Fields | undefined): Trace['extraUsage'] {
  const records = fields.children('extra_usage') ?? [];
  const columns = new Columns(vf?.child('extra_usage'), records.length);
  const cacheWrites = columns.of('cache_write_tokens', integer);
  const askers = columns.of('by', string);
  const models = columns.of('model', string);
  return records.map((record, at) => ({
    ...readUsage(record, cacheWrites(at)),
    ...named('by', askers(at)),
    ...named('model', models(at)),
  }));
}

function named<Key extends string>(
  key: Key,
  value: string | null | undefined,
): { readonly [K in Key]?: string } {
  return value == null ? {} : ({ [key]: value } as { readonly [K in Key]?: string });
}

function readServed(fields: Fields): ServedToolCall {
  return {
    name: fields.required('name', string),
    start: fields.required('start', number),
    end: fields.required('end', number),
    error: fields.optional('error', string) ?? null,
  };
}

function readEffective(fields: Fields | undefined): EffectiveTask | null {
  if (fields === undefined) return null;
  const prompt = readPrompt(fields, 'prompt');
  const systemPrompt = fields.optional('system_prompt', string);
  const tools = fields.children('tools')?.map(readTool);
  return {
    ...(prompt === undefined ? {} : { prompt }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(tools === undefined ? {} : { tools }),
  };
}
