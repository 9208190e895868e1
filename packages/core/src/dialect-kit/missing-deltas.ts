import type { Delta } from '../contract/dialect.ts';
import type { AssistantMessage } from '../message.ts';
import { present } from './json.ts';

/** How much of a reply a writer has written already. */
export interface Written {
  text: number;
  reasoning: number;
  natives: number;
  /** Length of the arguments written of each call, by index. */
  readonly arguments: Map<number, number>;
}

/** The beginning, with nothing written. */
export function noneWritten(): Written {
  return { text: 0, reasoning: 0, natives: 0, arguments: new Map() };
}

/** Adds what one delta wrote. */
export function countWritten(written: Written, delta: Delta): void {
  if (delta.type === 'text') written.text += delta.text.length;
  else if (delta.type === 'reasoning') written.reasoning += delta.text.length;
  else if (delta.type === 'native') written.natives++;
  else if (delta.type === 'call') written.arguments.set(delta.index, 0);
  else
    written.arguments.set(
      delta.index,
      (written.arguments.get(delta.index) ?? 0) + delta.text.length,
    );
}

/** What is left to write of a message: all of it when no delta came before. */
export function missingDeltas(message: AssistantMessage, written: Written): readonly Delta[] {
  const natives = (message.providerState ?? []).slice(written.natives);
  const reasoning = (message.reasoning ?? '').slice(written.reasoning);
  const text = (message.content ?? '').slice(written.text);
  return [
    ...natives.map((item): Delta => ({ type: 'native', item })),
    ...(reasoning === '' ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...missingCalls(message, written),
  ];
}

function missingCalls(message: AssistantMessage, written: Written): readonly Delta[] {
  return (message.toolCalls ?? []).flatMap((call, index): Delta[] => {
    const { id, name, kind, namespace } = call;
    const text = call.arguments.slice(written.arguments.get(index) ?? 0);
    const opening: Delta = {
      type: 'call',
      index,
      id,
      name,
      ...present({ namespace, custom: kind === 'custom' ? (true as const) : null }),
    };
    return [
      ...(written.arguments.has(index) ? [] : [opening]),
      ...(text === '' ? [] : [{ type: 'arguments' as const, index, text }]),
    ];
  });
}
