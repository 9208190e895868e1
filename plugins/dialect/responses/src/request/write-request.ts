import type { Call, Message } from '@vf/core';
import { writeItems } from './write-items.ts';
import { writeTools } from './tools.ts';
import { withEncryptedReasoning, writeSettings } from './write-settings.ts';

/** The whole request. Nothing is stored at the provider unless the settings ask for it. */
export function writeRequest(call: Call): Record<string, unknown> {
  const [system, messages] = splitInstructions(call);
  const keys = { store: false, ...writeSettings(call.settings, {}) };
  const reasons =
    call.settings.reasoningEffort !== undefined && call.settings.reasoningEffort !== 'none';
  const include = reasons
    ? withEncryptedReasoning(keys.store, 'include' in keys ? keys.include : undefined)
    : undefined;
  const tools = writeTools(call.tools);
  return {
    ...keys,
    ...(system === null ? {} : { instructions: system }),
    input: writeItems(messages),
    ...(tools.length === 0 ? {} : { tools }),
    ...(include === undefined ? {} : { include }),
  };
}

function splitInstructions(call: Call): readonly [string | null, readonly Message[]] {
  const [first, ...rest] = call.preamble;
  if (first?.role === 'system' && typeof first.content === 'string' && first.content !== '') {
    return [first.content, [...rest, ...call.messages]];
  }
  return [null, [...call.preamble, ...call.messages]];
}
