import type { Edit, Settings } from '@vf/core';
import { isObject, listOf, sameJson } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import {
  maxTokensKeys,
  plainKeys,
  settings,
  writeResponseFormat,
  writeToolChoice,
} from './settings.ts';

type Want = Partial<Settings>;
/** Keys to set; `undefined` takes the agent's key out. */
type Wanted = Map<string, unknown>;

/** Splices that make a request ask for `want`; none where it already does. */
export function edits(want: Want, top: JsonObject): readonly Edit[] {
  const wanted: Wanted = new Map(Object.entries(want.extra ?? {}));
  const now = settings(top);
  addPlainKeys(wanted, want, now);
  addMaxTokens(wanted, want, top);
  addToolKeys(wanted, want, top);
  if (want.responseFormat !== undefined) {
    wanted.set('response_format', writeResponseFormat(want.responseFormat));
  }
  addUsage(wanted, want, top);
  return [...wanted]
    .filter(([key, value]) => !isSaid(top, key, value))
    .map(([key, value]) => ({ key, value }));
}

const plain = Object.entries(plainKeys) as [keyof typeof plainKeys, string][];

/** A stop string may stand without its list, and no `stream` means false: what reads the same stays. */
function addPlainKeys(wanted: Wanted, want: Want, now: Settings): void {
  for (const [name, key] of plain) {
    const value = want[name];
    if (value === undefined || name === 'parallelToolCalls') continue;
    if (!sameJson(value, now[name] ?? null)) wanted.set(key, value);
  }
}

/** The agent's own spelling stays; the other goes, because providers refuse both together. */
function addMaxTokens(wanted: Wanted, want: Want, top: JsonObject): void {
  if (want.maxOutputTokens === undefined) return;
  const [current, legacy] = maxTokensKeys;
  const keepsLegacy = top[legacy] != null && top[current] == null;
  wanted.set(keepsLegacy ? current : legacy, undefined);
  wanted.set(keepsLegacy ? legacy : current, want.maxOutputTokens);
}

/** Providers refuse tool keys in a request without tools. */
function addToolKeys(wanted: Wanted, want: Want, top: JsonObject): void {
  if (listOf(top['tools']).length === 0) return;
  if (want.parallelToolCalls !== undefined)
    wanted.set('parallel_tool_calls', want.parallelToolCalls);
  if (want.toolChoice !== undefined) wanted.set('tool_choice', writeToolChoice(want.toolChoice));
}

/** Only a streamed request may have `stream_options`. */
function addUsage(wanted: Wanted, want: Want, top: JsonObject): void {
  const streams = want.stream ?? top['stream'] === true;
  if (!streams) wanted.set('stream_options', undefined);
  if (want.includeUsage === undefined || !streams) return;
  const options = isObject(top['stream_options']) ? top['stream_options'] : {};
  if (want.includeUsage === (options['include_usage'] === true)) return;
  wanted.set('stream_options', { ...options, include_usage: want.includeUsage });
}

function isSaid(top: JsonObject, key: string, value: unknown): boolean {
  if (value === undefined) return top[key] === undefined;
  return top[key] !== undefined && sameJson(top[key], value);
}

/** Did we, not the agent, ask for the usage chunk? */
export function asksForUsage(made: readonly Edit[]): boolean {
  return made.some(
    (edit) =>
      'key' in edit &&
      edit.key === 'stream_options' &&
      isObject(edit.value) &&
      edit.value['include_usage'] === true,
  );
}
