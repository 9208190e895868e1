import type { Edit, Settings } from '@vf/core';
import type { JsonObject } from '@vf/core/dialect';
import { sortedJson } from '@vf/core/trace';
import { withEncryptedReasoning, writeSettings } from './write-settings.ts';

/** One splice for each top-level key that does not say yet what is wanted. */
export function editsOf(want: Partial<Settings>, top: JsonObject): readonly Edit[] {
  const keys = writeSettings(want, top);
  if (want.reasoningEffort !== undefined && want.reasoningEffort !== 'none') {
    const include = withEncryptedReasoning(
      keys['store'] ?? top['store'],
      keys['include'] ?? top['include'],
    );
    if (include !== undefined) keys['include'] = include;
  }
  // An absent `stream` asks for a plain reply already.
  if (want.stream === false && top['stream'] !== true) delete keys['stream'];
  return Object.entries(keys)
    .filter(([key, value]) => sortedJson(top[key]) !== sortedJson(value))
    .map(([key, value]) => ({ key, value }));
}
