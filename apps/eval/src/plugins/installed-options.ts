import { VfError } from '@vf/core/errors';
import type { PluginHost } from '@vf/plugin-host';
import { pluginTables } from '@vf/run/schema';
import type { PluginOptions } from '@vf/run/schema';
import { optionsSchemaOf } from './options.ts';

/** Options of every installed plugin that a config may name, and why some could not be told. */
export interface InstalledOptions {
  readonly plugins: readonly PluginOptions[];
  readonly problems: readonly string[];
}

/** Imports the plugins: what they take is nowhere but in their code. */
export async function installedOptions(
  host: PluginHost,
  signal: AbortSignal,
): Promise<InstalledOptions> {
  const plugins: PluginOptions[] = [];
  const problems: string[] = [];
  for (const { kind, id, package: name, summary, state } of host.list()) {
    const table = pluginTables.find((known) => known === kind);
    if (table === undefined || id === null || state.startsWith('hidden')) continue;
    try {
      const { value } = await host.load(table, `${name}#${id}`, signal);
      const options = optionsSchemaOf(value);
      plugins.push({ kind: table, id, package: name, summary, options });
    } catch (error) {
      if (!VfError.isInstance(error)) throw error;
      problems.push(`${table} ${id}: ${error.message}`);
    }
  }
  return { plugins, problems };
}
