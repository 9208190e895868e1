import type { AssistantMessage, Message, ToolCall, ToolSpec } from '@vf/core';
import { byteTokenizer } from '../../byte-tokenizer.ts';
import { list, record, text } from '../requests/content.ts';
import type { Json } from '../requests/content.ts';
import { functionTool } from '../requests/tools.ts';

/** The conversation in a prompt of ids, as the template of qwen3 writes it. @throws SyntaxError when there is none */
export function promptMessages(body: Json): Message[] {
  const messages: Message[] = [];
  for (const turn of turnsOf(body)) {
    if (turn.role === 'assistant') messages.push(assistantMessage(turn.ids, messages.length));
    else if (turn.ids.includes(control('<tool_response>'))) {
      messages.push(...toolResults(turn.ids, messages));
    } else {
      const said = spelt(turn.ids);
      const content = turn.role === 'system' ? said.split(tools)[0] : said;
      if (content === undefined || (turn.role === 'system' && content === '')) continue;
      messages.push({ role: turn.role === 'system' ? 'system' : 'user', content });
    }
  }
  return messages;
}

/** The tools that such a prompt offers. */
export function promptTools(body: Json): ToolSpec[] {
  const [first] = turnsOf(body);
  const [, listed] = first?.role === 'system' ? spelt(first.ids).split(tools) : [];
  return (listed ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => functionTool(record(record(JSON.parse(line))['function']), 'parameters'));
}

/** What goes before the tools, and the tools. */
const tools = /(?:^|\n\n)# Tools\n\nYou may call [^]*?<tools>\n([^]*?)\n<\/tools>[^]*$/;

interface Turn {
  readonly role: string;
  readonly ids: readonly number[];
}

/** The turns that are ended: not the one that is asked for. */
function turnsOf(body: Json): Turn[] {
  const ids = list(body['prompt']).filter((id) => typeof id === 'number');
  const [, ...begun] = split(ids, control('<|im_start|>'));
  if (begun.length === 0)
    throw new SyntaxError('"prompt" is no list of token ids in the form of qwen3');
  return begun.flatMap((turn) => {
    const end = turn.indexOf(control('<|im_end|>'));
    if (end < 0) return [];
    const lineEnd = turn.indexOf(newline);
    return [{ role: spelt(turn.slice(0, lineEnd)), ids: turn.slice(lineEnd + 1, end) }];
  });
}

function assistantMessage(ids: readonly number[], at: number): AssistantMessage {
  const end = ids.lastIndexOf(control('</think>'));
  const reasoning = spelt(ids.slice(0, Math.max(end, 0)))
    .replace('<think>', '')
    .trim();
  const [said = [], ...blocks] = split(ids.slice(end + 1), control('<tool_call>'));
  const content = spelt(said).replace(/^\n+/, '');
  const toolCalls = blocks.map((block, index): ToolCall => {
    const call = record(JSON.parse(spelt(block.slice(0, block.indexOf(control('</tool_call>'))))));
    const given = JSON.stringify(call['arguments'] ?? {});
    return { id: `call_${at}_${index}`, name: text(call['name']), arguments: given };
  });
  return {
    role: 'assistant',
    content: content === '' ? null : content.replace(blocks.length > 0 ? /\n$/ : /$^/, ''),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
}

/** Results stand in the order of the calls, whose ids the template leaves out. */
function toolResults(ids: readonly number[], before: readonly Message[]): Message[] {
  const asked = before.findLast(({ role }) => role === 'assistant');
  const calls = asked?.role === 'assistant' ? (asked.toolCalls ?? []) : [];
  const [, ...blocks] = split(ids, control('<tool_response>'));
  return blocks.map((block, index) => ({
    role: 'tool',
    toolCallId: calls[index]?.id ?? `call_${index}`,
    content: spelt(block.slice(0, block.indexOf(control('</tool_response>')))).replace(
      /^\n|\n$/g,
      '',
    ),
  }));
}

const newline = 10;

function control(name: string): number {
  return byteTokenizer.controls.get(name) ?? -1;
}

function spelt(ids: readonly number[]): string {
  return Buffer.concat(ids.map((id) => byteTokenizer.bytes(id))).toString();
}

function split(ids: readonly number[], at: number): number[][] {
  const parts: number[][] = [[]];
  for (const id of ids) {
    if (id === at) parts.push([]);
    else parts.at(-1)?.push(id);
  }
  return parts;
}
