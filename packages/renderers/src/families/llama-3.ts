import type { AssistantMessage, Message, ToolSpec } from '@vf/core';
import { notRenderable, textOfMessage } from '../content.ts';
import type { Conversation, Family, Template } from '../family.ts';
import { marked } from '../live/marked-reply.ts';
import { checkName } from '../parse/blocks.ts';
import { readJsonCall } from '../parse/json-call.ts';
import { textOfPieces } from '../parse/pieces.ts';
import type { Piece } from '../parse/pieces.ts';
import type { Parsed } from '../parsed.ts';
import { indentedJsonText, jsonText } from '../python/json-text.ts';
import type { RendererOptions } from '../renderer.ts';
import type { Script } from '../script.ts';
import { argumentsOf } from './shared/arguments.ts';
import { limits } from './shared/limits.ts';
import { strip } from './shared/text.ts';
import { envelopeOf } from './shared/tool-json.ts';

const end = '<|eot_id|>';
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Llama 3.1 to 3.3 Instruct: tools in the first user message, one call a reply, results as `ipython`. */
export const llama3: Family = {
  id: 'llama-3',
  limits: [limits.oneCall, 'text beside a call is not printed', limits.noReasoning],
  controls: ['<|begin_of_text|>', '<|start_header_id|>', '<|end_header_id|>', end],
  template: makeTemplate,
};

function makeTemplate(options: RendererOptions): Template {
  // The templates' own fallback, so that a prompt does not change overnight.
  const date = options.date === undefined ? '26 Jul 2024' : dateText(options.date);
  return {
    retention: options.retention ?? 'all',
    separator: '',
    close: end,
    stops: [end, '<|end_of_text|>', '<|eom_id|>'],
    head: (script, conversation) => writeHead(script, conversation, date),
    message(script, { messages }, index) {
      const message = messages[index];
      if (message !== undefined) writeMessage(script, message);
    },
    generationPrompt: (script) => script.frame(header('assistant')),
    live: marked({ think: null, calls: '<|python_tag|>', callBegins: '{' }),
    parse: readReply,
  };
}

function header(role: string): string {
  return `<|start_header_id|>${role}<|end_header_id|>\n\n`;
}

function dateText(date: Date): string {
  const day = String(date.getDate()).padStart(2, '0');
  return `${day} ${months[date.getMonth()]} ${date.getFullYear()}`;
}

function writeHead(script: Script, { messages, tools }: Conversation, date: string): number {
  const [first] = messages;
  const hasSystem = first?.role === 'system';
  script.message = hasSystem ? 0 : -1;
  script.frame(`<|begin_of_text|>${header('system')}`);
  if (tools.length > 0) script.frame('Environment: ipython\n');
  script.frame(`Cutting Knowledge Date: December 2023\nToday Date: ${date}\n\n`);
  if (hasSystem) script.body(strip(textOfMessage(first)));
  script.frame(end);
  const next = hasSystem ? 1 : 0;
  if (tools.length === 0) return next;
  const asked = messages[next];
  if (asked === undefined)
    throw notRenderable('The tools of Llama 3 stand in the first user message; there is none.');
  script.message = next;
  writeTools(script, tools);
  script.body(strip(textOfMessage(asked)));
  script.frame(end);
  return next + 1;
}

function writeTools(script: Script, tools: readonly ToolSpec[]): void {
  script.frame(
    `${header('user')}Given the following functions, please respond with a JSON for a function call ` +
      'with its proper arguments that best answers the given prompt.\n\n' +
      'Respond in the format {"name": function name, "parameters": dictionary of argument name and its value}.' +
      'Do not use variables.\n\n',
  );
  for (const tool of tools) script.plain(`${indentedJsonText(envelopeOf(tool))}\n\n`);
}

function writeMessage(script: Script, message: Message): void {
  if (message.role === 'assistant') return writeReply(script, message);
  const text = textOfMessage(message);
  if (message.role === 'tool') {
    script.frame(header('ipython'));
    script.body(JSON.stringify(text));
  } else {
    script.frame(header(message.role));
    script.body(strip(text));
  }
  script.frame(end);
}

/** The template prints a call instead of the text beside it. */
function writeReply(script: Script, message: AssistantMessage): void {
  const [call, ...more] = message.toolCalls ?? [];
  if (more.length > 0)
    throw notRenderable('Llama 3 writes one call a reply, and a message here has several.');
  script.frame(header('assistant'));
  script.sampled = true;
  if (call === undefined) script.body(strip(message.content ?? ''));
  else {
    script.frame('{"name": "');
    script.body(call.name, 'call');
    script.frame('", "parameters": ');
    script.body(jsonText(argumentsOf(call)), 'call');
    script.frame('}');
  }
  script.frame(end);
  script.sampled = false;
}

/** A reply that is one JSON object with a name and parameters is a call. */
function readReply(pieces: readonly Piece[], tools: readonly ToolSpec[]): Parsed {
  const first = pieces[0];
  const body = first?.control === '<|python_tag|>' ? pieces.slice(1) : pieces;
  const text = textOfPieces(body);
  const none = { content: text, reasoning: null, calls: [] };
  if (!text.trimStart().startsWith('{')) return none;
  const span = [0, pieces.at(-1)?.end ?? 0] as const;
  const call = readJsonCall(text.trim(), span, true, 'parameters');
  const isCall = call.status === 'ok' && /^\{\s*"(?:name|parameters)"/.test(call.raw);
  return isCall ? { ...none, content: '', calls: [checkName(call, tools)] } : none;
}
