import type { ImageIdentity } from '@vf/core';
import { builtName } from '../image/build.ts';
import { recipeOf } from './images-of-set.ts';
import type { ComposeModel } from './model.ts';
import { mainImage, mainService } from './read-set.ts';

/**
 * What stands behind the images of the services beside `main`; what they share with another that builds it is told once.
 * @param digestOf what the engine has under a name
 */
export async function identitiesOfSet(
  { services }: ComposeModel,
  digestOf: (name: string) => Promise<string | null>,
): Promise<readonly ImageIdentity[]> {
  const all = Object.entries(services);
  const built = new Set(all.flatMap(([, { build, image }]) => (build === undefined ? [] : image)));
  const found = all.map(async ([service, { build, image }]): Promise<ImageIdentity[]> => {
    if (service === mainService || image === mainImage) return [];
    if (build !== undefined) {
      return [{ name: null, service, digest: await builtName(recipeOf(service, build)) }];
    }
    if (image === undefined || built.has(image)) return [];
    return [{ name: image, digest: await digestOf(image) }];
  });
  return (await Promise.all(found)).flat();
}
