import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { VfError } from '@vf/core/errors';
import { parseCommandLine } from '../args/parse-args.ts';
import { interruptible } from '../interrupt.ts';
import { printDocument, printText } from '../json/print.ts';
import { examine } from './examine.ts';
import type { Finding } from './finding.ts';

const graceMs = 10_000;

/** `vf plugins doctor [DIR]` */
export async function run(argv: readonly string[]): Promise<number> {
  const args = parseCommandLine(argv, { booleans: ['json'], values: [], config: true });
  const isJson = args.booleans.has('json');
  const dir = resolve(args.positionals[0] ?? '.');
  const { name, version } = packageIn(dir);
  const flags = args.raw.flatMap(({ name: flag, text }) => [
    `--${flag}`,
    ...(text === null ? [] : [text]),
  ]);
  const findings: Finding[] = [];
  const onFinding = (finding: Finding): void => {
    findings.push(finding);
    if (!isJson) printText(line(finding));
  };
  return interruptible(graceMs, async ({ signal }) => {
    const scratch = await mkdtemp(join(tmpdir(), 'vf-doctor-'));
    try {
      await examine({ dir, name, scratch, flags, signal, onFinding });
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
    if (isJson) printDocument({ package: name, version, findings });
    const count = findings.filter(({ state }) => state === 'problem').length;
    process.stderr.write(`${name}@${version}: ${count === 0 ? 'well' : problems(count)}\n`);
    return count === 0 ? 0 : 5;
  });
}

function packageIn(dir: string): { readonly name: string; readonly version: string } {
  const file = join(dir, 'package.json');
  if (!existsSync(file))
    throw new VfError('usage/not_found', `there is no package in ${dir}`, {
      hint: 'vf plugins doctor DIR; vf init taskset NAME makes one',
    });
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>;
  const { name, version, vf } = manifest;
  if (typeof name !== 'string' || typeof version !== 'string')
    throw new VfError('plugin/bad_manifest', `${file} names no "name" and "version"`, {
      hint: 'nothing can be packed without them',
    });
  if (vf === undefined)
    throw new VfError('plugin/bad_manifest', `${file} has no "vf": it brings no plugin`, {
      hint: '"vf": { "manifest": 1, "contributes": [{ "kind": "taskset", "id": "sums" }] }',
    });
  return { name, version };
}

function problems(count: number): string {
  return count === 1 ? '1 problem' : `${count} problems`;
}

function line({ check, state, message, fix }: Finding): string {
  const first = `${state === 'ok' ? 'ok     ' : 'problem'}  ${check.padEnd(8)}  ${message}`;
  return fix === undefined ? first : `${first}\n  fix: ${fix}`;
}
