import type { PluginHost } from '@vf/plugin-host';
import { configJsonSchema } from '@vf/run/schema';
import { installedOptions } from './installed-options.ts';

/** The schema of the config with the options of what is installed, as a file holds it. */
export async function configSchemaText(
  host: PluginHost,
): Promise<{ readonly text: string; readonly problems: readonly string[] }> {
  const { plugins, problems } = await installedOptions(host, new AbortController().signal);
  return { text: JSON.stringify(configJsonSchema(plugins), null, 2), problems };
}
