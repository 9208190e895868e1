import type { Edit, Settings } from '@vf/core';
import { isObject, listOf, numberOf, objectOf, omit, sameJson, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { plainKeys, settings, writeFormat, writeToolChoice } from './settings.ts';

type Want = Partial<Settings>;
/** Keys to set; `undefined` takes the agent's key out. */
type Wanted = Map<string, unknown>;

/** Anthropic takes no smaller thinking budget. */
const leastBudget = 1024;

/**
 * Splices that make a request ask for `want`; none where it already does. What the run sets wins, so what the
 * provider refuses beside it is taken out of the agent's request.
 */
export function edits(want: Want, top: JsonObject): readonly Edit[] {
  const wanted: Wanted = new Map(Object.entries(want.extra ?? {}));
  const now = settings(top);
  for (const [name, key] of Object.entries(plainKeys)) {
    const value = want[name as keyof typeof plainKeys];
    const said = now[name as keyof Settings] ?? null;
    if (value !== undefined && !sameJson(value, said)) wanted.set(key, value);
  }
  addOutput(wanted, want, top);
  addToolChoice(wanted, want, top);
  addThinking(wanted, want, top);
  dropRivals(wanted, want, top);
  return [...wanted]
    .filter(([key, value]) => !isSaid(top, key, value))
    .map(([key, value]) => ({ key, value }));
}

function addOutput(wanted: Wanted, want: Want, top: JsonObject): void {
  const effort = want.reasoningEffort;
  if (effort === undefined && want.responseFormat === undefined) return;
  const now = objectOf(top['output_config']);
  const kept = effort === undefined ? now : omit(now, ['effort']);
  const output = {
    ...kept,
    ...(effort === undefined || effort === 'none' ? {} : { effort }),
    ...(want.responseFormat === undefined ? {} : { format: writeFormat(want.responseFormat) }),
  };
  wanted.set('output_config', Object.keys(output).length === 0 ? undefined : output);
  if (want.responseFormat !== undefined) wanted.set('output_format', undefined);
}

/** Providers refuse a tool choice in a request without tools. */
function addToolChoice(wanted: Wanted, want: Want, top: JsonObject): void {
  if (listOf(top['tools']).length === 0) return;
  if (want.toolChoice === undefined && want.parallelToolCalls === undefined) return;
  wanted.set('tool_choice', writeToolChoice(want, objectOf(top['tool_choice'])));
}

/** Thinking goes with no temperature but 1, no top_k, no top_p below 0.95, no forced tool and no small reply. */
function addThinking(wanted: Wanted, want: Want, top: JsonObject): void {
  const thinking = objectOf(wanted.get('thinking') ?? top['thinking']);
  const type = stringOf(thinking['type']);
  if (type === null || type === 'disabled') return;
  const budget = numberOf(thinking['budget_tokens']);
  const most = want.maxOutputTokens ?? Infinity;
  const isForced = want.toolChoice === 'required' || isObject(want.toolChoice);
  const isRefused =
    want.reasoningEffort === 'none' ||
    (want.temperature ?? 1) !== 1 ||
    want.topK !== undefined ||
    (want.topP ?? 1) < 0.95 ||
    isForced ||
    (budget !== null && most <= leastBudget);
  if (isRefused) dropThinking(wanted, top);
  else if (budget !== null && budget >= most)
    wanted.set('thinking', { ...thinking, budget_tokens: most - 1 });
}

function dropThinking(wanted: Wanted, top: JsonObject): void {
  wanted.set('thinking', undefined);
  const management = top['context_management'];
  if (!isObject(management)) return;
  const rules = listOf(management['edits']);
  const kept = rules.filter(
    (rule) => !stringOf(objectOf(rule)['type'])?.startsWith('clear_thinking'),
  );
  if (kept.length === rules.length) return;
  wanted.set('context_management', kept.length === 0 ? undefined : { ...management, edits: kept });
}

/** Newer models refuse temperature and top_p together: the one that the run does not set goes. */
function dropRivals(wanted: Wanted, want: Want, top: JsonObject): void {
  if (want.temperature !== undefined && want.topP === undefined && top['top_p'] !== undefined)
    wanted.set('top_p', undefined);
  if (
    want.topP !== undefined &&
    want.temperature === undefined &&
    top['temperature'] !== undefined
  ) {
    wanted.set('temperature', undefined);
  }
}

function isSaid(top: JsonObject, key: string, value: unknown): boolean {
  if (value === undefined) return top[key] === undefined;
  return top[key] !== undefined && sameJson(top[key], value);
}
