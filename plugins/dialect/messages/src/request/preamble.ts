import type { Message } from '@vf/core';
import { isObject, listOf, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { contentOf } from './content.ts';

/** Claude Code's billing line stands first in its system prompt and may change with each request. */
const billing = /^x-anthropic-billing-header:[^\n]*\n?/;

/** The system prompt, without the billing line. */
export function preamble(top: JsonObject): readonly Message[] {
  const { system } = top;
  const said =
    typeof system === 'string' ? system.replace(billing, '') : listOf(system).filter(isPrompt);
  return said.length === 0 ? [] : [{ role: 'system', content: contentOf(said) }];
}

function isPrompt(block: unknown): boolean {
  return !(isObject(block) && billing.test(stringOf(block['text']) ?? ''));
}
