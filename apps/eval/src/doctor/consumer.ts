import { existsSync, readFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { versionText } from '../version.ts';
import { ok, problem } from './finding.ts';
import type { Finding } from './finding.ts';
import { lastWords, runProgram } from './run-program.ts';
import type { Ended } from './run-program.ts';

/** An empty project with vf and the packed package in it, as somebody else would have it. */
export interface Consumer {
  readonly dir: string;
  /** Folder of the installed package. */
  readonly packageDir: string;
  /** Runs the installed vf there. */
  vf(args: readonly string[]): Promise<Ended>;
}

/**
 * Installs a packed package into the empty folder `dir`, with vf of this version and the testkit from the registry.
 * @param options.source the package's own folder: who installs it has its registries
 * @returns no consumer when the install failed
 */
export async function installIn(
  dir: string,
  options: {
    readonly name: string;
    readonly source: string;
    readonly tarball: string;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly consumer: Consumer | null; readonly finding: Finding }> {
  const { name, source, tarball, signal } = options;
  const registries = join(source, '.npmrc');
  if (existsSync(registries)) await copyFile(registries, join(dir, '.npmrc'));
  await writeFile(join(dir, 'package.json'), '{"private":true,"type":"module"}');
  const wanted = [tarball, `@vf/eval@${versionText()}`, '@vf/testkit'] as const;
  const ended = await runProgram(['npm', 'install', '--no-audit', '--no-fund', ...wanted], {
    cwd: dir,
    signal,
  });
  if (ended.code !== 0)
    return {
      consumer: null,
      finding: problem(
        'install',
        `npm install into an empty project failed:\n    | ${lastWords(ended)}`,
        'mend the dependencies in package.json; npm config get registry tells where they come from',
      ),
    };
  const bin = join(dir, 'node_modules/@vf/eval/bin/vf.js');
  const consumer: Consumer = {
    dir,
    packageDir: join(dir, 'node_modules', name),
    vf: (args) => runProgram([process.execPath, bin, ...args], { cwd: dir, signal }),
  };
  return { consumer, finding: ok('install', `installs into an empty project with vf`) };
}

/** package.json as published. */
export function publishedManifest({ packageDir }: Consumer): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as Readonly<
    Record<string, unknown>
  >;
}
