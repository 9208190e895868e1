export { hostLoop } from './host-loop/host-loop.ts';
export type { HostLoopOptions } from './host-loop/host-loop.ts';
export { hostDialects } from './wire/index.ts';
export type { HostDialect } from './wire/index.ts';
