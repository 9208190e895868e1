export { PluginHost } from './plugin-host.ts';
export type { LoadedPlugin, PluginEntry } from './plugin-host.ts';
export type { From } from './manifests.ts';
export { installCommand } from './install-command.ts';
export { parseRef } from './plugin-ref.ts';
export { importSource } from './source-hook.ts';
