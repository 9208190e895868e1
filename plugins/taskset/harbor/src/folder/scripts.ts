import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '@vf/core/errors';
import type { TaskStep } from './harbor-task.ts';

/** Test scripts that no Linux can start: with a CR behind the name of their interpreter. */
export async function unrunnableScripts(steps: readonly TaskStep[]): Promise<Problem[]> {
  const scripts = new Set(steps.flatMap(({ verifier }) => verifier.tests.map(testScript)));
  const found = await Promise.all([...scripts].map(faultOf));
  return found.flatMap((problem) => (problem === null ? [] : [problem]));
}

function testScript(folder: string): string {
  return join(folder, 'test.sh');
}

/** Why no Linux can start a script; null when that is not its line ends. */
export async function faultOf(file: string): Promise<Problem | null> {
  const first = await firstLine(file);
  if (!first.startsWith('#!') || !first.endsWith('\r')) return null;
  return {
    file,
    line: 1,
    message: 'has Windows line ends, so its interpreter is not found',
    fix: `sed -i 's/\\r$//' ${file}`,
  };
}

async function firstLine(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n', 1)[0] ?? '';
}
