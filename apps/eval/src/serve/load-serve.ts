import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { VfError } from '@vf/core/errors';
import { installCommand } from '@vf/plugin-host';
import type * as Serve from '@vf/serve';
import { vfDir } from '../plugin-host.ts';

const name = '@vf/serve';

/**
 * The environment server, which is a package of its own: only trainers need it.
 * @throws VfError plugin/unknown with the command that installs it
 */
export async function loadServe(cwd: string): Promise<typeof Serve> {
  for (const place of [cwd, vfDir]) {
    const path = resolveFrom(place);
    if (path !== null) return (await import(pathToFileURL(path).href)) as typeof Serve;
  }
  throw new VfError('plugin/unknown', `vf serve needs ${name}, which is not installed`, {
    hint: installCommand(name, cwd),
  });
}

function resolveFrom(place: string): string | null {
  try {
    return createRequire(join(place, 'package.json')).resolve(name);
  } catch {
    return null;
  }
}
