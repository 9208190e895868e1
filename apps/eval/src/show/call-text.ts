import type { ModelCall, Trace } from '@vf/core';
import { formatCost, formatCount, formatPercent, formatSeconds } from '../screen/format.ts';
import { asName, oneLine, visible } from '../screen/one-line.ts';
import type { Palette } from '../screen/palette.ts';
import { fold } from './fold.ts';
import { messageLines } from './message-text.ts';
import type { TextOptions } from './message-text.ts';
import { tokenRows } from './token-text.ts';

/** `call 3   1,204 in (87 % cached)   56 out   2.1 s   $0.0021`. */
export function callFigures(call: ModelCall, number: number): string {
  const { usage, start, end, cost, finish } = call;
  return [
    `call ${number}`,
    ...(usage === null
      ? []
      : [
          `${formatCount(usage.inputTokens)} in${cachedText(usage)}`,
          `${formatCount(usage.outputTokens)} out`,
        ]),
    formatSeconds(Math.max(0, end - start)),
    ...(cost === null ? [] : [formatCost(cost)]),
    ...(finish === null || finish === 'stop' || finish === 'tool_calls' ? [] : [asName(finish)]),
  ].join('   ');
}

function cachedText({
  cachedInputTokens = 0,
  inputTokens,
}: NonNullable<ModelCall['usage']>): string {
  return cachedInputTokens === 0
    ? ''
    : ` (${formatPercent(cachedInputTokens, inputTokens)} cached)`;
}

export function failedCallLine(call: ModelCall, number: number, paint: Palette): string {
  const { error, status, attempt } = call;
  const what =
    error === null
      ? 'no reply'
      : `${error.code} ${status ?? 'no answer'}: ${oneLine(error.message, 120)}`;
  return paint('red', `call ${number} failed, attempt ${attempt}   ${what}`);
}

/** One model call: what was asked for, what came back and when. */
export function callLines(
  trace: Trace,
  call: ModelCall,
  number: number,
  options: TextOptions,
): string[] {
  const { paint, isFull } = options;
  const { partial } = call;
  return [
    paint('bold', `call ${number}, attempt ${call.attempt}`),
    ...factsOf(trace, call, isFull).flatMap(([name, value]) =>
      value === null
        ? []
        : [`  ${name.padEnd(10)}${visible(value).replaceAll('\n', '\n            ')}`],
    ),
    ...(partial === undefined
      ? []
      : [
          '',
          '  the reply as far as it came',
          ...fold(partial, isFull).map((line) => `    ${line}`),
        ]),
    ...asked(trace, call).flatMap((message) => [
      '',
      paint('blue', message.role),
      ...messageLines(message, options).map((line) => `  ${line}`),
    ]),
    ...replyOf(trace, call, options),
  ];
}

type Fact = readonly [name: string, value: string | null];

function factsOf(trace: Trace, call: ModelCall, isFull: boolean): readonly Fact[] {
  const { error } = call;
  return [
    ['endpoint', asName(`${call.dialect}  ${call.endpoint}`)],
    ['model', asName(modelText(call))],
    ['weights', spansText(call)],
    ['settings', JSON.stringify(call.settings)],
    ['answer', asName(answerText(call))],
    ['times', timesText(call)],
    ['tokens', call.usage === null ? null : JSON.stringify(call.usage)],
    ...(call.node === null ? [] : tokenRows(trace, call.node, isFull)),
    ['cost', formatCost(call.cost)],
    ['id', call.responseId === undefined ? null : asName(call.responseId)],
    ['error', error === null ? null : `${error.code}: ${error.message}`],
  ];
}

function modelText({ model, requestedModel }: ModelCall): string {
  return model === requestedModel ? model : `${model} (asked for ${requestedModel})`;
}

function answerText({ status, finish, rawFinish }: ModelCall): string {
  const raw = rawFinish === null || rawFinish === finish ? '' : ` (${rawFinish})`;
  return `HTTP ${status ?? '–'}   finish ${finish ?? '–'}${raw}`;
}

/** `step-1`; `step-1 (12), step-2 (44) of the sampled ids` where an update fell into the reply. null where the engine does not say. */
function spansText({ weights = [] }: ModelCall): string | null {
  const [first] = weights;
  if (first === undefined) return null;
  if (weights.length === 1) return asName(first.version);
  const spans = weights.map(
    ({ version, start, end }) => `${version} (${formatCount(end - start)})`,
  );
  return asName(`${spans.join(', ')} of the sampled ids`);
}

function timesText({ start, end, firstByte }: ModelCall): string {
  const at = new Date(start * 1000).toISOString();
  const first = firstByte === null ? '' : `, first byte after ${formatSeconds(firstByte - start)}`;
  return `${at}, ${formatSeconds(end - start)}${first}`;
}

/** The prompt's messages after the reply before. */
function asked(trace: Trace, { node }: ModelCall) {
  if (node === null) return [];
  const path = trace.graph.pathTo(node).slice(0, -1);
  const last = path.findLastIndex((index) => trace.graph.nodes[index]?.sampled === true);
  return path.slice(last + 1).flatMap((index) => trace.graph.nodes[index]?.message ?? []);
}

function replyOf(trace: Trace, { node }: ModelCall, options: TextOptions): string[] {
  const message = node === null ? undefined : trace.graph.nodes[node]?.message;
  if (message === undefined) return [];
  return [
    '',
    options.paint('green', 'assistant'),
    ...messageLines(message, options).map((line) => `  ${line}`),
  ];
}
