import type { HarnessCtx } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { lastLines } from '@vf/harness-kit';
import type { Config } from './config.ts';
import { literally } from './settings.ts';

/** Prints the system template of a configuration, as this version of it has it. */
const print = [
  'import sys',
  'from minisweagent.config import get_config_from_spec',
  "sys.stdout.write(get_config_from_spec(sys.argv[1]).get('agent', {}).get('system_template', ''))",
].join('\n');

/**
 * Its own system prompt with the task's behind it, or the task's alone; null when the task has none.
 * @throws VfError harness/open_failed when its configuration is not found
 */
export async function systemTemplateOf(
  { config, runtime, signal, systemPrompt }: HarnessCtx<Config>,
  python: string,
): Promise<string | null> {
  if (systemPrompt === null) return null;
  const theirs = literally(systemPrompt);
  if (config.systemPrompt === 'replace') return theirs;
  const env = { MSWEA_SILENT_STARTUP: '1', MSWEA_GLOBAL_CONFIG_DIR: runtime.home };
  const printed = await runtime.run([python, '-c', print, config.config], { env, signal });
  if (printed.exitCode === 0) return `${printed.stdout.trimEnd()}\n\n${theirs}`;
  const message = `mini-SWE-agent cannot read ${config.config}: ${lastLines(printed.stderr, 1)}`;
  throw new VfError('harness/open_failed', message, { hint: '--harness.config mini.yaml' });
}
