import { readFile } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { VfError } from '@vf/core/errors';
import { engineError, isEngineGone, wordsOf } from '../engine/engine-error.ts';
import { dockerfileOf } from './builder.ts';
import { needsOfBuildKit } from './dockerfile-needs.ts';
import type { Recipe } from './recipe.ts';

const shownLines = 20;

/** Why a build failed, with the last lines of its log. @param path where the whole log is */
export async function buildError(
  error: unknown,
  recipe: Recipe,
  log: readonly string[],
  path: string,
): Promise<VfError> {
  const file = dockerfileOf(recipe);
  const what = `${file} cannot be built`;
  if (VfError.isInstance(error)) return error;
  if (isEngineGone(error)) return engineError(error, 'runtime/build_failed', what);
  const said = stripVTControlCharacters(log.join(''));
  const lines = [...said.trimEnd().split(/\r?\n/), wordsOf(error)];
  const last = lines.filter((line, index) => line !== lines[index - 1]).slice(-shownLines);
  const message = `${what}; its last lines:\n${last.join('\n')}`;
  if (/no space left|disk quota exceeded/i.test(last.join('\n'))) {
    return new VfError('runtime/disk_full', message, {
      cause: error,
      retryable: false,
      hint: 'the disk of the engine is full: docker system df, docker system prune',
    });
  }
  return new VfError('runtime/build_failed', message, {
    cause: error,
    retryable: false,
    hint: (await frontendHint(file, wordsOf(error))) ?? `the whole log: ${path}`,
  });
}

/** The builder in an engine may be older than what the file is written for. */
async function frontendHint(file: string, words: string): Promise<string | null> {
  if (!/unknown (?:instruction|flag)|parse error/i.test(words)) return null;
  const [need] = needsOfBuildKit(await readFile(file, 'utf8').catch(() => ''));
  if (need === undefined || need.what === '# syntax') return null;
  return `line ${need.line} (${need.what}) is newer than this engine's builder: put "# syntax=docker/dockerfile:1" first, or use Docker 23 or newer`;
}
