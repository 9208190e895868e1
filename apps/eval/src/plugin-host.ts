import { resolve } from 'node:path';
import { PluginHost } from '@vf/plugin-host';

/** Folder of the CLI's package: its dependencies are the plugins it brings. */
export const vfDir = resolve(import.meta.dirname, '..');

/** Plugins as seen from `cwd`; VF_PROJECT names another project. */
export function pluginHost(cwd: string, env: NodeJS.ProcessEnv = process.env): PluginHost {
  const project = env['VF_PROJECT'];
  return new PluginHost({
    cwd,
    vfDir,
    ...(project === undefined || project === '' ? {} : { projectDir: resolve(cwd, project) }),
  });
}
