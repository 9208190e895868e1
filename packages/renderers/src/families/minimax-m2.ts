import type { AssistantMessage, ToolSpec } from '@vf/core';
import { notRenderable, textOfMessage } from '../content.ts';
import type { Conversation, Family, Template } from '../family.ts';
import { marked } from '../live/marked-reply.ts';
import { parseBlocks } from '../parse/blocks.ts';
import { readInvokes } from '../parse/invokes.ts';
import { marksBehind, splitReasoning, think } from '../parse/reasoning.ts';
import type { ThinkMarks } from '../parse/reasoning.ts';
import { jsonText } from '../python/json-text.ts';
import type { RendererOptions } from '../renderer.ts';
import type { Script } from '../script.ts';
import { argumentsOf } from './shared/arguments.ts';
import { besideTool } from './shared/chat-ml.ts';
import { lastUser } from './shared/last-query.ts';
import { limits } from './shared/limits.ts';
import { saidBy } from './shared/said.ts';
import { functionOf } from './shared/tool-json.ts';

const role = ']~b]';
const end = '[e~[';
const open = '<minimax:tool_call>';
const close = '</minimax:tool_call>';
const marks: ThinkMarks = { ...think, opened: 'yes' };

/** MiniMax M2: a system block always, the role `ai`, several calls in one block. */
export const minimaxM2 = minimax('minimax-m2', 'You are a helpful assistant.');

/** MiniMax M2.5: as M2, with a name. */
export const minimaxM25 = minimax(
  'minimax-m2.5',
  'You are a helpful assistant. Your name is MiniMax-M2.5 and is built by MiniMax.',
);

/** @param identity what stands in place of an empty system message */
function minimax(id: string, identity: string): Family {
  return {
    id,
    limits: [limits.oneSystem],
    controls: [']~!b[', role, end, open, close, '<think>', '</think>'],
    template: (options) => makeTemplate(identity, options),
  };
}

function makeTemplate(identity: string, options: RendererOptions): Template {
  return {
    retention: options.retention ?? 'tool_cycle',
    lastQuery: lastUser,
    separator: '\n',
    close: end,
    stops: [end],
    head: (script, conversation) => writeHead(script, conversation, identity),
    message(script, conversation, index) {
      const message = conversation.messages[index];
      if (message === undefined) return;
      if (message.role === 'system') {
        throw notRenderable(
          'The template of MiniMax M2 prints a system message only in the first place.',
        );
      }
      if (message.role === 'assistant') writeReply(script, message, index > conversation.lastQuery);
      else if (message.role === 'tool') writeResult(script, conversation, index);
      else {
        script.frame(`${role}user\n`);
        script.body(textOfMessage(message));
        script.frame(`${end}\n`);
      }
    },
    generationPrompt: (script) => script.frame(`${role}ai\n<think>\n`),
    live: marked({ think: marks, calls: open }),
    parse(pieces, tools, opens) {
      const { reasoning, rest } = splitReasoning(pieces, marksBehind(marks, opens));
      const read = readInvokes(tools);
      return { ...parseBlocks(rest, { open, close, gap: '\n', read }), reasoning };
    },
  };
}

function writeHead(script: Script, { messages, tools }: Conversation, identity: string): number {
  const [first] = messages;
  const system = first?.role === 'system' ? textOfMessage(first) : '';
  script.message = first?.role === 'system' ? 0 : -1;
  script.frame(`]~!b[${role}system\n`);
  if (system === '') script.frame(identity);
  else script.body(system);
  if (tools.length > 0) writeTools(script, tools);
  script.frame(`${end}\n`);
  return first?.role === 'system' ? 1 : 0;
}

function writeTools(script: Script, tools: readonly ToolSpec[]): void {
  script.frame(
    '\n\n# Tools\nYou may call one or more tools to assist with the user query.\n' +
      'Here are the tools available in JSONSchema format:\n\n<tools>\n',
  );
  for (const tool of tools) script.plain(`<tool>${jsonText(functionOf(tool))}</tool>\n`);
  script.frame(
    '</tools>\n\nWhen making tool calls, use XML format to invoke tools and pass parameters:\n' +
      `\n${open}\n<invoke name="tool-name-1">\n<parameter name="param-key-1">param-value-1</parameter>\n` +
      `<parameter name="param-key-2">param-value-2</parameter>\n...\n</invoke>\n${close}`,
  );
}

function writeReply(script: Script, message: AssistantMessage, current: boolean): void {
  const { reasoning, content } = saidBy(message);
  const calls = message.toolCalls ?? [];
  script.frame(`${role}ai\n`);
  if (current && reasoning !== '') {
    script.frame('<think>\n');
    script.sampled = true;
    script.body(reasoning, 'reasoning');
    script.frame('\n</think>\n\n');
  }
  script.sampled = true;
  script.body(content);
  if (calls.length > 0) script.frame(`\n${open}\n`);
  for (const call of calls) {
    script.frame('<invoke name="');
    script.body(call.name, 'call');
    script.frame('">\n');
    for (const [key, value] of argumentsOf(call)) {
      script.frame('<parameter name="');
      script.body(key, 'call');
      script.frame('">');
      script.body(typeof value === 'string' ? value : jsonText(value), 'call');
      script.frame('</parameter>\n');
    }
    script.frame('</invoke>\n');
  }
  if (calls.length > 0) script.frame(close);
  script.frame(end);
  script.sampled = false;
  script.frame('\n');
}

function writeResult(script: Script, { messages }: Conversation, index: number): void {
  const message = messages[index];
  if (message === undefined) return;
  if (!besideTool(messages, index, -1)) script.frame(`${role}tool`);
  script.frame('\n<response>');
  script.body(textOfMessage(message));
  script.frame('</response>');
  if (!besideTool(messages, index, 1)) script.frame(`${end}\n`);
}
