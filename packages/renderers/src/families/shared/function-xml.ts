import type { ToolCall, ToolSpec } from '@vf/core';
import { parseBlocks } from '../../parse/blocks.ts';
import { equalsTags, readTags } from '../../parse/function-xml.ts';
import type { Piece } from '../../parse/pieces.ts';
import { splitReasoning } from '../../parse/reasoning.ts';
import type { ThinkMarks } from '../../parse/reasoning.ts';
import type { Parsed } from '../../parsed.ts';
import type { JsonValue } from '../../python/json-value.ts';
import type { Script } from '../../script.ts';
import { argumentsOf } from './arguments.ts';

/** How qwen3.5 and nemotron-3 are told to call. */
export const functionXmlInstructions =
  '\n\nIf you choose to call a function ONLY reply in the following format with NO suffix:\n\n' +
  '<tool_call>\n<function=example_function_name>\n<parameter=example_parameter_1>\nvalue_1\n</parameter>\n' +
  '<parameter=example_parameter_2>\nThis is the value for the second parameter\nthat can span\nmultiple lines\n' +
  '</parameter>\n</function>\n</tool_call>\n\n<IMPORTANT>\nReminder:\n' +
  '- Function calls MUST follow the specified format: an inner <function=...></function> block must be nested within ' +
  '<tool_call></tool_call> XML tags\n' +
  '- Required parameters MUST be specified\n' +
  '- You may provide optional reasoning for your function call in natural language BEFORE the function call, ' +
  'but NOT after\n' +
  '- If there is no function call available, answer the question like normal with your current knowledge and do not ' +
  'tell the user about function calls\n</IMPORTANT>';

/** `<tool_call>` with a function and its parameters as tags, up to `</tool_call>`. */
export function writeFunctionXml(
  script: Script,
  call: ToolCall,
  valueText: (value: JsonValue) => string,
): void {
  script.frame('<tool_call>\n<function=');
  script.body(call.name, 'call');
  script.frame('>\n');
  for (const [key, value] of argumentsOf(call)) {
    script.frame('<parameter=');
    script.body(key, 'call');
    script.frame('>\n');
    script.body(valueText(value), 'call');
    script.frame('\n</parameter>\n');
  }
  script.frame('</function>\n</tool_call>');
}

/**
 * A reply with a think block and calls as `writeFunctionXml` writes them.
 * @param marks how reasoning is marked, and whether the prompt has opened it
 * @param gap what stands before the first call
 */
export function parseFunctionXml(
  pieces: readonly Piece[],
  tools: readonly ToolSpec[],
  { marks, gap }: { readonly marks: ThinkMarks; readonly gap: string },
): Parsed {
  const { reasoning, rest } = splitReasoning(pieces, marks);
  const found = parseBlocks(rest, {
    open: '<tool_call>',
    close: '</tool_call>',
    gap,
    read: (block) => [readTags(block, equalsTags, tools)],
  });
  return { ...found, reasoning };
}
