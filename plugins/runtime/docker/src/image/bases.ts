import { readFile } from 'node:fs/promises';
import type { Engine } from '../engine/engine.ts';
import { dockerfileOf } from './builder.ts';
import { pulledImage } from './pull.ts';
import type { Recipe } from './recipe.ts';
import { registryLogin } from './registry-login.ts';

/**
 * Pulls the images that a Dockerfile builds on from registries that we have a login for: the builder is given none, and
 * takes what is there already.
 */
export async function pullBases(engine: Engine, recipe: Recipe): Promise<void> {
  const text = await readFile(dockerfileOf(recipe), 'utf8');
  const { signal } = new AbortController();
  for (const image of basesOf(text)) {
    if ((await registryLogin(image)) !== null) await pulledImage(engine, image, 'missing', signal);
  }
}

/** Images after FROM; stages of the file itself and names with variables are left out. */
export function basesOf(text: string): readonly string[] {
  const froms = text.matchAll(/^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?\s*$/gim);
  const stages = new Set(['scratch']);
  const bases = new Set<string>();
  for (const [, image = '', stage] of froms) {
    if (!stages.has(image.toLowerCase()) && !image.includes('$')) bases.add(image);
    if (stage !== undefined) stages.add(stage.toLowerCase());
  }
  return [...bases];
}
