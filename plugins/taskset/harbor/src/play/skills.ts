import { posix } from 'node:path';
import type { SetupResult } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { howItEnded } from '../box/shell.ts';
import type { Ctx } from './play.ts';

const list =
  'for file in "$1"/*/SKILL.md; do if [ -f "$file" ]; then echo "${file%/SKILL.md}"; fi; done';

/** The skills in a folder of the box: its folders with a SKILL.md. @throws VfError taskset/setup_failed when it has none */
export async function skillsIn(
  folder: string,
  { runtime, signal }: Pick<Ctx, 'runtime' | 'signal'>,
): Promise<NonNullable<SetupResult['skills']>> {
  const path = posix.resolve(runtime.workdir, folder);
  const listed = await runtime.run(['sh', '-c', list, 'sh', path], { signal });
  const skills = listed.stdout.split('\n').filter((line) => line !== '');
  if (skills.length > 0)
    return skills.map((skill) => ({ name: posix.basename(skill), path: skill }));
  throw new VfError(
    'taskset/setup_failed',
    `environment.skills_dir: no skill in ${path}; listing it ${howItEnded(listed)}`,
  );
}
