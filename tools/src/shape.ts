/**
 * Packs every published package and checks what a user would get: publint, the resolution of its
 * types as ESM, and that each entry loads. Needs the packages to be built.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

import { root, type WorkspacePackage, workspacePackages } from './workspace.ts';

const run = promisify(execFile);

/** Ways of resolving that an ESM-only package does not serve. */
const ignored = new Set(['node10', 'node16-cjs']);

async function tarballOf({ folder }: WorkspacePackage, scratch: string): Promise<Buffer> {
  const destination = join(scratch, folder.replaceAll('/', '-'));
  await run('pnpm', ['pack', '--pack-destination', destination], { cwd: join(root, folder) });
  const [file] = await readdir(destination);
  return readFile(join(destination, file ?? ''));
}

async function lint(tarball: Buffer): Promise<string[]> {
  const { messages, pkg } = await publint({
    pack: { tarball: new Uint8Array(tarball).buffer },
    strict: true,
  });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

async function typeResolution(tarball: Buffer): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(tarball), {
    excludeEntrypoints: ['./package.json'],
  });
  if (result.types === false) return ['has no types'];
  return result.problems
    .filter((problem) => {
      const how = 'resolutionKind' in problem ? problem.resolutionKind : undefined;
      const option = 'resolutionOption' in problem ? problem.resolutionOption : undefined;
      return !ignored.has(how ?? option ?? '');
    })
    .map((problem) => `types: ${JSON.stringify({ ...problem, trace: undefined })}`);
}

/** Loads each entry as a user's Node would, without the condition of this repository. */
async function loading({ folder, manifest }: WorkspacePackage): Promise<string[]> {
  const problems: string[] = [];
  for (const target of Object.values(manifest.exports ?? {})) {
    if (typeof target === 'string' || target['default'] === undefined) continue;
    const file = join(root, folder, target['default']);
    await import(pathToFileURL(file).href).catch((error: unknown) => {
      problems.push(`${target['default']} does not load: ${String(error)}`);
    });
  }
  return problems;
}

async function check(subject: WorkspacePackage, scratch: string): Promise<string[]> {
  const tarball = await tarballOf(subject, scratch);
  const problems = await Promise.all([lint(tarball), typeResolution(tarball), loading(subject)]);
  return problems.flat().map((problem) => `${subject.folder}: ${problem}`);
}

const scratch = await mkdtemp(join(tmpdir(), 'vf-shape-'));
try {
  const published = workspacePackages().filter(({ manifest }) => manifest.private !== true);
  for (const subject of published) {
    for (const problem of await check(subject, scratch)) {
      process.exitCode = 1;
      console.error(problem);
    }
  }
  console.log(`${published.length} packages packed and checked`);
} finally {
  await rm(scratch, { recursive: true, force: true });
}
