import { dirname } from 'node:path';
import type { ComposeSet, ImageBuild } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Engine } from '../engine/engine.ts';
import type { ComposeModel } from './model.ts';
import { compose } from './program.ts';

/** The service that is the box. */
export const mainService = 'main';

/** By this name services find the image that is built for `main`. */
export const mainImage = 'vf-main';

/** What `main` is before the files say more. */
interface MainImage {
  readonly image?: string;
  readonly build?: ImageBuild;
}

/** A set as compose understands it, once merged and once as it stands in the files. */
export interface ReadSet {
  readonly model: ComposeModel;
  /** Variables in place, files that variables come from still named. */
  readonly raw: ComposeModel;
}

/**
 * Has compose merge and check the files of a set.
 * @throws VfError misfit/plan with compose's own words, or for a variable that nobody gave
 */
export async function readSet(
  engine: Engine,
  set: ComposeSet,
  main: MainImage,
  signal: AbortSignal,
): Promise<ReadSet> {
  const [merged, raw] = await Promise.all([
    config(engine, set, main, [], signal),
    config(engine, set, main, ['--no-interpolate', '--no-normalize'], signal),
  ]);
  const unset = [...merged.stderr.matchAll(/\\?"(\w+)\\?" variable is not set/g)];
  if (unset.length > 0) {
    const names = [...new Set(unset.map(([, name]) => name))].join(', ');
    throw new VfError('misfit/plan', `${listed(set)}: nobody gives a value for ${names}`, {
      retryable: false,
      hint: 'name it in the variables of the task, give it a default (${NAME:-text}), or put it into .env beside the file',
    });
  }
  return { model: parsed(merged.stdout), raw: parsed(raw.stdout) };
}

export function listed({ files }: ComposeSet): string {
  return files.join(', ');
}

async function config(
  engine: Engine,
  set: ComposeSet,
  main: MainImage,
  flags: readonly string[],
  signal: AbortSignal,
): Promise<{ stdout: string; stderr: string }> {
  const folder = dirname(set.files[0] ?? '.');
  const files = ['-', ...set.files].flatMap((file) => ['--file', file]);
  const args = [
    '--project-name',
    'vf',
    '--project-directory',
    folder,
    ...files,
    'config',
    '--format',
    'json',
    ...flags,
  ];
  const stdin = JSON.stringify(baseOf(main));
  const { variables = {} } = set;
  const answer = await compose({ engine, args, stdin, variables, signal });
  if (answer.exitCode === 0) return answer;
  const words = answer.stderr.trim().split('\n').slice(-5).join('\n');
  throw new VfError('misfit/plan', `${listed(set)} is no compose set: ${words}`, {
    retryable: false,
    hint: 'see what `docker compose config` says of it',
  });
}

/** The image's own ENTRYPOINT, if any, is run with the command that keeps the box. */
function baseOf({ image, build }: MainImage): ComposeModel {
  return {
    services: {
      [mainService]: {
        command: ['sh', '-c', 'while :; do sleep 86400; done'],
        ...(image === undefined ? {} : { image }),
        ...(build === undefined ? {} : { image: mainImage, build: { ...build } }),
      },
    },
  };
}

function parsed(json: string): ComposeModel {
  return JSON.parse(json) as ComposeModel;
}
