import { readFile, stat } from 'node:fs/promises';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { HarnessCtx } from '@vf/core';
import type { Problem } from '@vf/core/errors';
import type { Config } from './config.ts';

/** Copies what `copy` names into the home of a rollout: files with their exec bit, folders as trees. */
export async function copyInto(
  home: string,
  { config, runtime, signal }: Pick<HarnessCtx<Config>, 'config' | 'runtime' | 'signal'>,
): Promise<void> {
  for (const [path, local] of Object.entries(config.copy)) {
    const source = resolve(local);
    const about = await stat(source);
    if (about.isDirectory()) await runtime.upload(source, `${home}/${path}`, signal);
    else {
      const mode = (about.mode & 0o111) === 0 ? 0o600 : 0o700;
      await runtime.write(`${home}/${path}`, await readFile(source), { mode, signal });
    }
  }
}

/** What `copy` names and this machine does not have; told before the run. */
export function missingCopies({ copy }: Config): readonly Problem[] {
  return Object.entries(copy).flatMap(([path, local]) =>
    statSync(resolve(local), { throwIfNoEntry: false }) === undefined
      ? [{ path: `harness.copy.${path}`, message: `there is no file ${resolve(local)}` }]
      : [],
  );
}
