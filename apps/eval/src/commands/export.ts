import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Export } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { Secrets, readConfigFile } from '@vf/run';
import { findRun } from '@vf/store';
import { parseCommandLine } from '../args/parse-args.ts';
import type { ParsedArgs } from '../args/parse-args.ts';
import { Destination, standardOutput } from '../export/destination.ts';
import { exportOptions } from '../export/export-options.ts';
import { loadPlanned } from '../export/plan-order.ts';
import { refuseTokenless, runExport } from '../export/run-export.ts';
import { secretNames } from '../export/secret-names.ts';
import { interruptible } from '../interrupt.ts';
import { setMask } from '../masking.ts';
import { outputDir } from '../output-dir.ts';
import { pluginHost } from '../plugin-host.ts';
import { runName } from '../show/load-summary.ts';
import { tellUnread } from '../show/tell-unread.ts';
import { parseWhere } from '../where/parse-where.ts';

/** Time that an exporter has to stop before the process leaves, ms. */
const graceMs = 10_000;

/** `vf export RUN --to ID -o PATH` */
export async function run(argv: readonly string[]): Promise<number> {
  const args = parseCommandLine(argv, {
    booleans: ['json', 'quiet'],
    // `-o` is short for the folder of the runs elsewhere.
    shorts: { o: 'output' },
    values: ['to', 'output', 'output-dir', 'where', 'env-file'],
    config: true,
  });
  const { ref, to, output } = request(args);
  const terms = parseWhere(args.values.get('where') ?? '');
  const dir = await findRun(outputDir({ ...args, raw: [] }), ref);
  const { signal } = new AbortController();
  const plugin = await pluginHost(process.cwd()).load('export', to, signal);
  const exporter = plugin.value as Export;
  const config = await exportOptions(exporter, to, args).catch(async (error: unknown) => {
    // Who gives all that is missing should not be told afterwards that nothing can be written.
    await refuseTokenless(exporter, dir, await runName(dir));
    throw error;
  });
  const { secrets, unset } = await secretsOf(dir, args);
  const name = await runName(dir);
  const planned = await loadPlanned(dir);
  await tellUnread(dir);
  return interruptible(graceMs, async (interrupt) => {
    const destination = new Destination(output);
    interrupt.onHardStop(() => destination.clear());
    const about = { run: name, to, dir, terms, exporter, config, destination, secrets };
    try {
      return await runExport({ ...about, unset, planned }, args.booleans, interrupt.signal);
    } finally {
      destination.clear();
    }
  });
}

function request({ positionals, values, booleans }: ParsedArgs) {
  const [ref, ...rest] = positionals;
  if (ref === undefined || rest.length > 0)
    throw new VfError('usage/invalid', 'which run?', {
      hint: 'vf export RUN --to ID -o PATH; vf show lists the runs',
    });
  const to = values.get('to');
  if (to === undefined)
    throw new VfError('usage/invalid', 'which form? --to ID is missing', {
      hint: `vf export ${ref} --to csv -o ${ref}.csv; vf plugins list shows kind export`,
    });
  const output = values.get('output');
  if (output === undefined || output === '')
    throw new VfError('usage/invalid', 'where to? -o PATH is missing', {
      hint: `vf export ${ref} --to ${to} -o PATH; - is stdout`,
    });
  if (output === standardOutput && booleans.has('json'))
    throw new VfError('usage/invalid', '-o - and --json both want stdout', { hint: '-o PATH' });
  return { ref, to, output };
}

/** The secrets that the run's config names, and all that look like one. */
async function secretsOf(
  dir: string,
  args: ParsedArgs,
): Promise<{ readonly secrets: Secrets; readonly unset: readonly string[] }> {
  const file = args.values.get('env-file');
  const env = { ...process.env, ...(file === undefined ? {} : await variablesOf(file)) };
  const secrets = new Secrets(env);
  const { tree } = await readConfigFile(join(dir, 'config.toml'), join(dir, 'config.toml'));
  const { named, all } = secretNames(tree, env);
  for (const name of all) secrets.take(name);
  setMask((text) => secrets.mask(text));
  return { secrets, unset: named.filter((name) => !secrets.isSet(name)) };
}

async function variablesOf(file: string): Promise<NodeJS.Dict<string>> {
  try {
    return parseEnv(await readFile(file, 'utf8'));
  } catch (error) {
    throw new VfError('config/unreadable', `${file} cannot be read`, {
      hint: 'check the path after --env-file',
      cause: error,
    });
  }
}
