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
  if (isFaultOfEngine(wordsOf(error))) {
    return new VfError('runtime/build_failed', message, {
      cause: error,
      retryable: true,
      hint: 'the engine failed, not the Dockerfile: see docker network ls and the log of the engine',
    });
  }
  return new VfError('runtime/build_failed', message, {
    cause: error,
    retryable: false,
    hint: (await frontendHint(file, wordsOf(error))) ?? `the whole log: ${path}`,
  });
}

const ofCommand = /returned a non-zero code|exit code: \d/;
const ofEngine =
  /network \S+ not found|failed to create endpoint|could not find bridge|no such network interface|failed to set ?up sandbox|code = Unavailable|transport is closing/i;

/** Words of the engine about itself: a bridge or a network that is gone, a part of it that does not answer. */
function isFaultOfEngine(words: string): boolean {
  return ofEngine.test(words) && !ofCommand.test(words);
}

/** The builder in an engine may be older than what the file is written for. */
async function frontendHint(file: string, words: string): Promise<string | null> {
  if (!/unknown (?:instruction|flag)|parse error/i.test(words)) return null;
  const [need] = needsOfBuildKit(await readFile(file, 'utf8').catch(() => ''));
  if (need === undefined || need.what === '# syntax') return null;
  return `line ${need.line} (${need.what}) is newer than this engine's builder: put "# syntax=docker/dockerfile:1" first, or use Docker 23 or newer`;
}
