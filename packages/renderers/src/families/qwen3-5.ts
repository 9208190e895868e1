import type { AssistantMessage, ToolSpec } from '@vf/core';
import { notRenderable, textOfMessage } from '../content.ts';
import type { Conversation, Family, Template } from '../family.ts';
import { marked } from '../live/marked-reply.ts';
import { marksBehind, think } from '../parse/reasoning.ts';
import type { ThinkMarks } from '../parse/reasoning.ts';
import { jsonText, pythonText } from '../python/json-text.ts';
import type { JsonValue } from '../python/json-value.ts';
import type { RendererOptions } from '../renderer.ts';
import type { Script } from '../script.ts';
import { besideTool, chatMlTurn, imEnd, imStart } from './shared/chat-ml.ts';
import {
  functionXmlInstructions,
  parseFunctionXml,
  writeFunctionXml,
} from './shared/function-xml.ts';
import { lastQuery } from './shared/last-query.ts';
import { limits } from './shared/limits.ts';
import { saidBy } from './shared/said.ts';
import { strip } from './shared/text.ts';
import { envelopeOf } from './shared/tool-json.ts';

const controls = [
  imStart,
  imEnd,
  '<tool_call>',
  '</tool_call>',
  '<think>',
  '</think>',
  '<tool_response>',
  '</tool_response>',
];
const noThought = '<think>\n\n</think>\n\n';

/** Qwen3.5: calls as tags in `<tool_call>`, the generation prompt opens the reasoning, bodies are stripped. */
export const qwen35: Family = {
  id: 'qwen3.5',
  limits: [limits.oneSystem],
  controls,
  template: (options) => makeTemplate({ ...options, keepThinking: false }, pythonText),
};

/** Qwen3.6: values other than text are printed as JSON, and past reasoning can be kept. */
export const qwen36: Family = {
  id: 'qwen3.6',
  limits: [limits.oneSystem],
  controls,
  template: (options) =>
    makeTemplate(options, (value) => (typeof value === 'string' ? value : jsonText(value))),
};

function makeTemplate(options: RendererOptions, valueText: (value: JsonValue) => string): Template {
  const thinking = options.thinking ?? true;
  const marks: ThinkMarks = { ...think, opened: thinking ? 'yes' : 'no' };
  const keeps = options.keepThinking ?? false;
  return {
    retention: options.retention ?? (keeps || !thinking ? 'all' : 'tool_cycle'),
    lastQuery: (messages) => lastQuery(messages, true),
    separator: '\n',
    close: imEnd,
    stops: [imEnd, '<|endoftext|>'],
    head: writeHead,
    message(script, conversation, index) {
      const message = conversation.messages[index];
      if (message === undefined) return;
      if (message.role === 'system') throw notRenderable('The system message must come first.');
      if (message.role === 'assistant') {
        const thinks = keeps || index > conversation.lastQuery;
        writeReply(script, message, { thinks, thinking, valueText });
      } else if (message.role === 'tool') writeResult(script, conversation, index);
      else chatMlTurn(script, 'user', strip(textOfMessage(message)));
    },
    generationPrompt(script) {
      script.frame(`${imStart}assistant\n${thinking ? '<think>\n' : noThought}`);
    },
    live: marked({ think: marks, calls: '<tool_call>' }),
    parse(pieces, tools, opens) {
      return parseFunctionXml(pieces, tools, { marks: marksBehind(marks, opens), gap: '\n\n' });
    },
  };
}

function writeHead(script: Script, { messages, tools }: Conversation): number {
  const [first] = messages;
  const system = first?.role === 'system' ? strip(textOfMessage(first)) : null;
  script.message = system === null ? -1 : 0;
  if (tools.length > 0) writeTools(script, tools, system ?? '');
  else if (system !== null) chatMlTurn(script, 'system', system);
  return system === null ? 0 : 1;
}

function writeTools(script: Script, tools: readonly ToolSpec[], system: string): void {
  script.frame(
    `${imStart}system\n# Tools\n\nYou have access to the following functions:\n\n<tools>`,
  );
  for (const tool of tools) script.plain(`\n${jsonText(envelopeOf(tool))}`);
  script.frame(`\n</tools>${functionXmlInstructions}`);
  if (system !== '') script.frame('\n\n');
  script.body(system);
  script.frame(`${imEnd}\n`);
}

interface Manner {
  readonly thinks: boolean;
  readonly thinking: boolean;
  readonly valueText: (value: JsonValue) => string;
}

function writeReply(script: Script, message: AssistantMessage, manner: Manner): void {
  const said = saidBy({ ...message, content: strip(message.content ?? '') });
  const reasoning = strip(said.reasoning);
  script.frame(`${imStart}assistant\n`);
  if (manner.thinks) {
    // What the generation prompt holds already is not sampled.
    script.frame('<think>\n');
    script.sampled = manner.thinking || reasoning !== '';
    script.body(reasoning, 'reasoning');
    script.frame('\n</think>\n\n');
  }
  script.sampled = true;
  script.body(said.content);
  for (const [position, call] of (message.toolCalls ?? []).entries()) {
    if (position > 0) script.frame('\n');
    else if (strip(said.content) !== '') script.frame('\n\n');
    writeFunctionXml(script, call, manner.valueText);
  }
  script.frame(imEnd);
  script.sampled = false;
  script.frame('\n');
}

function writeResult(script: Script, { messages }: Conversation, index: number): void {
  const message = messages[index];
  if (message === undefined) return;
  if (!besideTool(messages, index, -1)) script.frame(`${imStart}user`);
  script.frame('\n<tool_response>\n');
  script.body(strip(textOfMessage(message)));
  script.frame('\n</tool_response>');
  if (!besideTool(messages, index, 1)) script.frame(`${imEnd}\n`);
}
