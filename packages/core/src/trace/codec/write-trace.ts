import { VfError } from '../../errors/vf-error.ts';
import type { ServedToolCall } from '../model-call.ts';
import type { EffectiveTask, ExtraUsage, Trace } from '../trace.ts';
import { writeAgent, writeAgentExtra } from './agent.ts';
import { writeColumn } from './columns.ts';
import { writeErrorColumns, writeErrors } from './errors.ts';
import { compact, orNone, withUnknown } from './json-object.ts';
import type { JsonObject } from './json-object.ts';
import { writePrompt } from './messages.ts';
import { checkCalls, checkNodes, writeNode } from './nodes.ts';
import type { RecordForm } from './nodes.ts';
import { plainJson } from './plain-json.ts';
import { writeTask } from './task.ts';
import { writeTiming } from './timing.ts';
import { writeSpace } from './token-space.ts';
import { countTokens } from './token-counts.ts';
import type { TokenCounts } from './token-counts.ts';
import { allTools, writeTool } from './tools.ts';
import { writeUsage } from './usage.ts';
import { writeCalls } from './write-calls.ts';

/** Revision of the record, as the Python peer counts it. */
export const recordVersion = 1;

/** What the record says made it. */
export const recordMaker = 'vf-ts 1';

/** A trace as JSON, and the token counts that the record of its episode adds up. */
export interface TraceRecord {
  readonly record: JsonObject;
  readonly counts: TokenCounts;
}

/**
 * Writes a trace. What the verifiers models have no place for stands in `info.vf`.
 * @param episode what the episode adds to `info.vf` of its first trace
 * @throws VfError internal/unexpected when the graph breaks a rule of the record
 */
export function writeTrace(trace: Trace, episode?: JsonObject, form: RecordForm = {}): TraceRecord {
  const { nodes, space } = trace.graph;
  checkNodes(nodes, '', broken, space);
  checkCalls(trace.calls, nodes, '', broken);
  const written = nodes.map((node) => writeNode(node, form));
  const calls = writeCalls(trace.calls);
  const task = writeTask(trace.task);
  const counts = countTokens(nodes, trace.graph.leaves(), trace.calls);
  const extras = written.flatMap(({ extra }, at) => (extra === undefined ? [] : [[at, extra]]));
  const vf = compact({
    episode,
    task: task.given,
    ...writeAgentExtra(trace.agent),
    effective_task: trace.effectiveTask === null ? undefined : writeEffective(trace.effectiveTask),
    main_leaf: trace.mainLeaf,
    token_space: writeSpace(space),
    nodes: orNone(Object.fromEntries(extras)),
    forms: calls.forms,
    token_origins: calls.origins,
    calls: calls.columns,
    tool_calls: trace.toolCalls.length === 0 ? undefined : trace.toolCalls.map(writeServed),
    extra_usage: writeUsageColumns(trace.extraUsage),
    errors: writeErrorColumns(trace.errors),
  });
  const record = compact({
    version: recordVersion,
    id: trace.id,
    verifiers: { version: recordMaker },
    task: task.task,
    agent: writeAgent(trace.agent),
    tools: orList(allTools(nodes.flatMap((node) => (node.tools ? [node.tools] : []))), writeTool),
    nodes: written.map(({ node }) => node),
    calls: calls.calls,
    rewards: { ...trace.rewards },
    metrics: { ...trace.metrics },
    info: writeInfo(trace.info, vf),
    root_reply: trace.rootReply,
    extra_usage: orList(trace.extraUsage, (usage) => writeUsage(usage)),
    is_completed: trace.isCompleted,
    ok: trace.ok,
    stop_condition: trace.stopCondition,
    is_timeout: trace.isTimeout || undefined,
    errors: orList(writeErrors(trace.errors)),
    timing: writeTiming(trace.timing),
    ...counts,
  });
  return { record: mended(withUnknown(record, orNone(trace.unknown))), counts };
}

function broken(path: string, reason: string): never {
  throw new VfError('internal/unexpected', `the trace cannot be recorded: ${path} ${reason}`);
}

function orList<T>(
  items: readonly T[],
  write: (item: T) => unknown = (item) => item,
): readonly unknown[] | undefined {
  return items.length === 0 ? undefined : items.map(write);
}

/** A key `vf` of the author's own stands beside ours, so that nothing is lost. */
function writeInfo(info: JsonObject, vf: JsonObject): JsonObject {
  const { vf: own, ...rest } = info;
  const all = own === undefined ? vf : { ...vf, own_vf: own };
  return Object.keys(all).length === 0 ? rest : { ...rest, vf: all };
}

function writeEffective(task: EffectiveTask): JsonObject {
  return compact({
    prompt: task.prompt === undefined ? undefined : writePrompt(task.prompt),
    system_prompt: task.systemPrompt,
    tools: task.tools?.map(writeTool),
  });
}

function writeServed(call: ServedToolCall): JsonObject {
  return compact({ name: call.name, start: call.start, end: call.end, error: call.error });
}

function writeUsageColumns(usages: readonly ExtraUsage[]): JsonObject | undefined {
  return orNone(
    compact({
      cache_write_tokens: writeColumn(usages, (usage) => usage.cacheWriteTokens),
      by: writeColumn(usages, (usage) => usage.by),
      model: writeColumn(usages, (usage) => usage.model),
    }),
  );
}

/** The record as JSON can hold it; `info.vf.mended` counts the values that were changed for it. */
function mended(record: JsonObject): JsonObject {
  const plain = plainJson(record);
  if (plain.mended === 0) return plain.value;
  return withUnknown(plain.value, { info: { vf: { mended: plain.mended } } });
}
