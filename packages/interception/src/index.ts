export { startInterception } from './server/start-interception.ts';
export type { InterceptionOptions, InterceptionServer } from './server/start-interception.ts';
export { providerAgent, relayClient } from './relay/relay-client.ts';
export type { RelayOptions } from './relay/relay-client.ts';
export { defaultLimits } from './limits.ts';
export type { InterceptionLimits } from './limits.ts';
export type { Clock } from './clock.ts';
