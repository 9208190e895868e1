import type { AssistantMessage, ToolSpec } from '@vf/core';
import { notRenderable, textOfMessage } from '../content.ts';
import type { Conversation, Family, Template } from '../family.ts';
import { marked } from '../live/marked-reply.ts';
import { checkName, parseBlocks } from '../parse/blocks.ts';
import { readJsonCall } from '../parse/json-call.ts';
import { textOfPieces } from '../parse/pieces.ts';
import { marksBehind, splitReasoning, think } from '../parse/reasoning.ts';
import type { ThinkMarks } from '../parse/reasoning.ts';
import { jsonText } from '../python/json-text.ts';
import type { RendererOptions } from '../renderer.ts';
import type { Script } from '../script.ts';
import { besideTool, chatMlReply, chatMlTurn, imEnd, imStart } from './shared/chat-ml.ts';
import { lastQuery } from './shared/last-query.ts';
import { limits } from './shared/limits.ts';
import { saidBy } from './shared/said.ts';
import { stripLeadingLines, stripLines } from './shared/text.ts';
import { envelopeOf } from './shared/tool-json.ts';

const controls = [imStart, imEnd, '<tool_call>', '</tool_call>', '<think>', '</think>'];
const noThought = '<think>\n\n</think>\n\n';

/** Qwen3: calls as JSON in `<tool_call>`, reasoning kept since the last query. */
export const qwen3: Family = {
  id: 'qwen3',
  controls,
  template: (options) => qwen3Template(options, true),
};

/** The text side of Qwen3-VL-Instruct: Qwen3 without think blocks. */
export const qwen3Vl: Family = {
  id: 'qwen3-vl',
  limits: [limits.oneSystem, limits.noReasoning],
  controls: controls.slice(0, 4),
  template: (options) =>
    qwen3Template({ ...options, thinking: true, retention: options.retention ?? 'all' }, false),
};

function qwen3Template(options: RendererOptions, reasons: boolean): Template {
  const thinking = options.thinking ?? true;
  const marks: ThinkMarks = { ...think, opened: thinking ? 'perhaps' : 'no' };
  return {
    retention: options.retention ?? (thinking ? 'tool_cycle' : 'all'),
    separator: '\n',
    close: imEnd,
    stops: [imEnd, '<|endoftext|>'],
    lastQuery: (messages) => lastQuery(messages, false),
    head: writeHead,
    message: (script, conversation, index) => writeMessage(script, conversation, index, reasons),
    generationPrompt(script) {
      script.frame(`${imStart}assistant\n${thinking ? '' : noThought}`);
    },
    live: marked({ think: reasons ? marks : { ...marks, opened: 'no' }, calls: '<tool_call>' }),
    parse(pieces, tools, opens) {
      const { reasoning, rest } = splitReasoning(pieces, marksBehind(marks, opens));
      const found = parseBlocks(rest, {
        open: '<tool_call>',
        close: '</tool_call>',
        gap: '\n',
        read: ({ pieces: block, span, closed }) => [
          checkName(readJsonCall(textOfPieces(block), span, closed, 'arguments'), tools),
        ],
      });
      return { ...found, reasoning };
    },
  };
}

function writeHead(script: Script, { messages, tools }: Conversation): number {
  const [first] = messages;
  const system = first?.role === 'system' ? textOfMessage(first) : null;
  script.message = system === null ? -1 : 0;
  if (tools.length === 0) {
    if (system !== null) chatMlTurn(script, 'system', system);
    return system === null ? 0 : 1;
  }
  script.frame(`${imStart}system\n`);
  if (system !== null) {
    script.body(system);
    script.frame('\n\n');
  }
  writeTools(script, tools);
  script.frame(`${imEnd}\n`);
  return system === null ? 0 : 1;
}

function writeTools(script: Script, tools: readonly ToolSpec[]): void {
  script.frame(
    '# Tools\n\nYou may call one or more functions to assist with the user query.\n\n' +
      'You are provided with function signatures within <tools></tools> XML tags:\n<tools>',
  );
  for (const tool of tools) script.plain(`\n${jsonText(envelopeOf(tool))}`);
  script.frame(
    '\n</tools>\n\nFor each function call, return a json object with function name and arguments within ' +
      '<tool_call></tool_call> XML tags:\n<tool_call>\n' +
      '{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>',
  );
}

function writeMessage(
  script: Script,
  conversation: Conversation,
  index: number,
  reasons: boolean,
): void {
  const { messages } = conversation;
  const message = messages[index];
  if (message === undefined) return;
  if (message.role === 'assistant') {
    writeReply(script, message, reasons && keepsThought(conversation, message, index));
  } else if (message.role === 'tool') {
    if (!besideTool(messages, index, -1)) script.frame(`${imStart}user`);
    script.frame('\n<tool_response>\n');
    script.body(textOfMessage(message));
    script.frame('\n</tool_response>');
    if (!besideTool(messages, index, 1)) script.frame(`${imEnd}\n`);
  } else if (message.role === 'system' && !reasons) {
    throw notRenderable(
      'The template of Qwen3-VL prints a system message only in the first place.',
    );
  } else chatMlTurn(script, message.role, textOfMessage(message));
}

function keepsThought(
  { messages, lastQuery: query }: Conversation,
  message: AssistantMessage,
  index: number,
): boolean {
  return index > query && (index === messages.length - 1 || saidBy(message).reasoning !== '');
}

function writeReply(script: Script, message: AssistantMessage, thinks: boolean): void {
  const { reasoning, content } = saidBy(message);
  chatMlReply(script, () => {
    if (thinks) {
      script.frame('<think>\n');
      script.body(stripLines(reasoning), 'reasoning');
      script.frame('\n</think>\n\n');
    }
    script.body(thinks ? stripLeadingLines(content) : content);
    for (const [position, call] of (message.toolCalls ?? []).entries()) {
      if (position > 0 || content !== '') script.frame('\n');
      script.frame('<tool_call>\n{"name": "');
      script.body(call.name, 'call');
      script.frame('", "arguments": ');
      script.body(call.arguments, 'call');
      script.frame('}\n</tool_call>');
    }
  });
}
