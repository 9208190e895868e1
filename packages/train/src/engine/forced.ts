import type { Settings } from '@vf/core';
import { isObject, objectOf } from '@vf/core/dialect';
import { refusal } from './engine-failed.ts';

/** Names under which servers are told what a reply has to look like, or which ids it may have. */
const constraints = [
  'guided_json',
  'guided_regex',
  'guided_choice',
  'guided_grammar',
  'structured_outputs',
  'structural_tag',
  'json_schema',
  'grammar',
  'regex',
  'ebnf',
  'allowed_token_ids',
  'bad_words',
  'logits_processors',
];

/** Names under which a server with a template of its own is told to write another prompt. */
const rewritten = [
  'continue_final_message',
  'chat_template',
  'documents',
  'truncate_prompt_tokens',
];

/**
 * Forced tokens have no probability of their own, in whatever spelling they are forced.
 * @throws EngineFailed
 */
export function refuseForced({ responseFormat, toolChoice, extra = {} }: Settings): void {
  if (responseFormat !== undefined || formats(extra).some(isForm)) {
    throw refusal('training samples freely: response_format forces tokens, leave it out');
  }
  const { function_call: called = 'auto', tool_choice: odd } = extra;
  // A choice that no dialect spells out: of some tools, of a tool that is no function.
  if (
    forcesTool(toolChoice) ||
    odd != null ||
    !(called === null || called === 'auto' || called === 'none')
  ) {
    throw refusal('training samples freely: tool_choice forces tokens, leave it at auto');
  }
  const constraint = constraints.find((key) => says(extra[key]));
  if (constraint !== undefined) {
    throw refusal(`training samples freely: ${constraint} forces tokens, leave it out`);
  }
  const other = rewritten.find((key) => says(extra[key]));
  if (other !== undefined) {
    throw refusal(`training writes the prompt by itself, without ${other}: leave it out`);
  }
}

/** Has a reply to call a tool? */
export function forcesTool(choice: Settings['toolChoice']): boolean {
  return choice !== undefined && choice !== 'auto' && choice !== 'none';
}

/** Formats that canonical settings cannot say, as chat and Responses spell them. */
function formats(extra: Readonly<Record<string, unknown>>): readonly unknown[] {
  return [extra['response_format'], objectOf(extra['text'])['format']];
}

function isForm(format: unknown): boolean {
  return isObject(format) && format['type'] !== 'text';
}

function says(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
