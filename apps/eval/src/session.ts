import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { VfError } from '@vf/core/errors';
import type { PluginHost } from '@vf/plugin-host';
import { Secrets, resolveConfig } from '@vf/run';
import type { FlagValue, OptionsOf, ResolvedConfig } from '@vf/run';
import { configFlags } from './args/config-flags.ts';
import type { ParsedArgs } from './args/parse-args.ts';
import { setMask } from './masking.ts';
import { setPlaces } from './places.ts';
import { pluginHost } from './plugin-host.ts';
import { optionsOf } from './plugins/options-of.ts';

/** What every command that reads a config works with. */
export interface CommandSession {
  readonly cwd: string;
  readonly resolved: ResolvedConfig;
  readonly host: PluginHost;
  readonly secrets: Secrets;
}

/** @param base files and flags that stand below those of the command line (a stored run's config) */
export async function openSession(
  args: ParsedArgs,
  base: {
    readonly files?: readonly string[];
    readonly flags?: readonly FlagValue[];
    readonly taskset?: string | undefined;
  } = {},
): Promise<CommandSession> {
  const cwd = process.cwd();
  const env = await environment(args);
  const named: FlagValue[] =
    base.taskset === undefined
      ? []
      : [
          {
            flag: `TASKSET ${base.taskset}`,
            path: ['taskset', 'id'],
            value: base.taskset,
            text: base.taskset,
          },
        ];
  const secrets = new Secrets(env);
  setMask((text) => secrets.mask(text));
  const output = env['VF_OUTPUT_DIR'];
  const host = pluginHost(cwd, env);
  const resolved = await resolveConfig({
    cwd,
    files: [...(base.files ?? []), ...args.files],
    flags: [...(base.flags ?? []), ...named, ...configFlags(args.raw)],
    userFile: userFile(env),
    defaults:
      output === undefined || output === ''
        ? []
        : [{ flag: 'VF_OUTPUT_DIR', path: ['output_dir'], value: output, text: output }],
    optionsOf: (kind, id) => loadOptions(host, kind, id),
  });
  setPlaces((path) => resolved.placeOf(path));
  return { cwd, resolved, host, secrets };
}

/** A plugin that cannot be loaded is told by what uses it. */
async function loadOptions(...[host, kind, id]: [PluginHost, ...Parameters<OptionsOf>]) {
  try {
    return optionsOf((await host.load(kind, id, new AbortController().signal)).value);
  } catch (error) {
    if (!VfError.isInstance(error)) throw error;
    return undefined;
  }
}

async function environment(args: ParsedArgs): Promise<NodeJS.ProcessEnv> {
  const file = args.values.get('env-file');
  if (file === undefined) return process.env;
  try {
    return { ...process.env, ...parseEnv(await readFile(file, 'utf8')) };
  } catch (error) {
    throw new VfError('config/unreadable', `${file} cannot be read`, {
      hint: 'check the path after --env-file',
      cause: error,
    });
  }
}

function userFile(env: NodeJS.ProcessEnv): string | null {
  const named = env['VF_CONFIG'];
  if (named !== undefined && named !== '') return named;
  const standard = join(env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'vf', 'config.toml');
  return existsSync(standard) ? standard : null;
}
