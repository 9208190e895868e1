/** What lasts for a while and must end: told of aborts, and kept where it leaves nothing behind. */
export { AbortListener } from './abort-listener.ts';
export type { Abortable } from './abort-listener.ts';
export { UnderWay } from './under-way.ts';
export type { Leave } from './under-way.ts';
