import type { Message } from '@vf/core';
import { MessageGraph } from '@vf/core/trace';

/** Would the graph take one message for the other? */
export function isSame(a: Message, b: Message): boolean {
  const graph = new MessageGraph();
  const start = graph.start([]);
  graph.commit(start, [{ said: a }], null, { timestamp: 0 });
  return graph.walk(start, [b]).matched === 1;
}

/** `read`, with each message that the graph would take for the wanted one written as that. */
export function alike(wanted: readonly Message[], read: readonly Message[]): readonly Message[] {
  return read.map((message, index) => {
    const other = wanted[index];
    return other !== undefined && isSame(other, message) ? other : message;
  });
}
