import type { ToolCall, ToolSpec } from '@vf/core';
import { checkName } from '../../parse/blocks.ts';
import type { Block } from '../../parse/blocks.ts';
import { readSectionCalls } from '../../parse/section-calls.ts';
import type { SectionCall } from '../../parse/section-calls.ts';
import type { ParsedCall } from '../../parsed.ts';
import { parseJson } from '../../python/parse-json.ts';
import type { Script } from '../../script.ts';
import { call as marks, separator } from './marks.ts';

/** A call as V3 writes it: the kind, the name, the arguments in a fence. */
export function writeFencedCall(script: Script, call: ToolCall): void {
  script.frame(`${marks[0]}function${separator}`);
  script.body(call.name, 'call');
  script.frame('\n```json\n');
  script.body(call.arguments, 'call');
  script.frame(`\n\`\`\`${marks[1]}`);
}

/** The calls of a section that `writeFencedCall` wrote. */
export function readFencedCalls(block: Block, tools: readonly ToolSpec[]): readonly ParsedCall[] {
  const found = readSectionCalls(block, { open: marks[0], close: marks[1], separator });
  return found.map((one) => readFenced(one, tools));
}

const fenced = /^([^\n]*)\n```json\n([^]*)\n```\s*$/;

function readFenced(
  { raw, span, status, body }: SectionCall,
  tools: readonly ToolSpec[],
): ParsedCall {
  const none = { raw, span, name: null, arguments: null };
  if (status !== 'ok') return { ...none, status };
  const match = fenced.exec(body ?? '');
  if (match === null) return { ...none, status: 'malformed_structure' };
  const [, head = '', text = ''] = match;
  const name = head.trim() === '' ? null : head.trim();
  if (parseJson(text) === undefined) return { ...none, name, status: 'invalid_json' };
  if (name === null) return { ...none, arguments: text, status: 'missing_name' };
  return checkName({ raw, span, name, arguments: text, status }, tools);
}
