import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, problem } from './finding.ts';
import type { Finding } from './finding.ts';
import { lastWordsOfScript, runProgram } from './run-program.ts';

/** The package packed as its manager would publish it. */
export interface Packed {
  /** null when it could not be packed. */
  readonly tarball: string | null;
  readonly finding: Finding;
}

/** Packs the package in `dir` into `to`; runs its `prepack` as publishing does. */
export async function pack(dir: string, to: string, signal: AbortSignal): Promise<Packed> {
  const manager = usesPnpm(dir) ? 'pnpm' : 'npm';
  const ended = await runProgram([manager, 'pack', '--pack-destination', to], {
    cwd: dir,
    signal,
  });
  const name = (await readdir(to)).find((file) => file.endsWith('.tgz'));
  if (ended.code === 0 && name !== undefined)
    return { tarball: join(to, name), finding: ok('pack', `${manager} pack made ${name}`) };
  const finding = problem(
    'pack',
    `${manager} pack failed:\n    | ${lastWordsOfScript(ended)}`,
    `mend what ${manager} pack says in ${dir}`,
  );
  return { tarball: null, finding };
}

/** `workspace:` and `catalog:` ranges become versions only with the manager that knows them. */
function usesPnpm(dir: string): boolean {
  const text = readFileSync(join(dir, 'package.json'), 'utf8');
  return (
    /"(?:workspace|catalog):/.test(text) ||
    text.includes('"packageManager": "pnpm@') ||
    existsSync(join(dir, 'pnpm-lock.yaml'))
  );
}
