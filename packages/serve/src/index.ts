export { startEnvServer } from './server/env-server.ts';
export type { EnvServer, EnvServerOptions } from './server/env-server.ts';
export type { ServeCounts } from './server/counts.ts';
export type { ServeLimits } from './server/limits.ts';
export { startLocalHost } from './host/local-host.ts';
export type { LocalHostOptions } from './host/local-host.ts';
export type { RunHost } from './host/run-host.ts';
