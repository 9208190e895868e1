import type { RuntimeApi, Skill } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { lastLines } from './last-lines.ts';

/**
 * Puts the rollout's skills where the agent looks for them, by links.
 * @throws VfError harness/open_failed
 */
export async function linkSkills(
  runtime: RuntimeApi,
  skills: readonly Skill[],
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  if (skills.length === 0) return;
  const script =
    'mkdir -p "$0" && while [ $# -gt 0 ]; do ln -sfn "$1" "$0/$2" || exit 1; shift 2; done';
  const links = skills.flatMap(({ name, path }) => [path, name]);
  const linked = await runtime.run(['sh', '-c', script, folder, ...links], { signal });
  if (linked.exitCode === 0) return;
  const message = `the skills cannot be put into ${folder}: ${lastLines(linked.stderr)}`;
  throw new VfError('harness/open_failed', message);
}
