import { VfError } from '@vf/core/errors';
import type { Engine } from '../engine/engine.ts';
import { builtImage } from '../image/build.ts';
import type { PullPolicy } from '../image/pull.ts';
import { pulledImage } from '../image/pull.ts';
import type { Recipe } from '../image/recipe.ts';
import type { ComposeBuild, ComposeModel } from './model.ts';

/** Fields of `build` that we build by; the tags are ours, caches are the engine's. */
const understood = new Set(['context', 'dockerfile', 'args', 'target', 'tags', 'labels', 'pull']);

/**
 * Builds and pulls what a set runs on, each image once whoever asks. An image that one service builds under a name is
 * also that of others that name it.
 * @returns image of each service
 * @throws VfError misfit/plan for a build that asks for more, and as builds and pulls do
 */
export async function imagesOfSet(
  engine: Engine,
  model: ComposeModel,
  pull: PullPolicy,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const services = Object.entries(model.services);
  const built = new Map<string, Promise<string>>();
  const of = services.map(([name, { image, build }]) => {
    if (build === undefined) return null;
    const work = builtImage(engine, recipeOf(name, build), signal);
    work.catch(() => {});
    if (image !== undefined) built.set(image, work);
    return work;
  });
  const images = services.map(async ([name, { image }], index) => {
    const own = of[index] ?? built.get(image ?? '');
    if (own !== undefined) return [name, await own] as const;
    return [name, await pulledImage(engine, image ?? '', pull, signal)] as const;
  });
  return Object.fromEntries(await Promise.all(images));
}

/** What is built for one service. @throws VfError misfit/plan for a build that asks for more */
export function recipeOf(service: string, build: ComposeBuild): Recipe {
  const foreign = Object.keys(build).filter((field) => !understood.has(field));
  if (foreign.length > 0 || /^\w+:\/\/|^git@/.test(build.context)) {
    const what = foreign.length > 0 ? foreign.join(', ') : `a build of ${build.context}`;
    throw new VfError('misfit/plan', `service ${service}: vf does not build with ${what}`, {
      retryable: false,
      hint: 'context, dockerfile, args and target are understood; or name an image',
    });
  }
  const args = Object.entries(build.args ?? {}).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  return {
    context: build.context,
    ...(build.dockerfile === undefined ? {} : { dockerfile: build.dockerfile }),
    ...(args.length === 0 ? {} : { args: Object.fromEntries(args) }),
    ...(build.target === undefined ? {} : { target: build.target }),
  };
}
