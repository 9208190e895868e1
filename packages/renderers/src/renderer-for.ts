import { nearest, VfError } from '@vf/core/errors';
import { makeRenderer } from './make-renderer.ts';
import { knownFamilies } from './models.ts';
import type { KnownFamily } from './models.ts';
import type { Renderer, RendererOptions } from './renderer.ts';
import type { Tokenizer } from './tokenizer/tokenizer.ts';

/** Ids of the families, for `renderer = "…"`. */
export const familyIds: readonly string[] = knownFamilies.map(({ family }) => family.id);

/** Names the Jinja fallback where a family is named; no model has it by its own name. */
export const jinjaId = 'jinja';

/**
 * Which family a model's renderer is, told by its exact name or by `named`; `jinja` where that is named.
 * @throws VfError `misfit/no_renderer` with the list and how to name one
 */
export function familyFor(model: string, named?: string): string {
  return named === jinjaId ? jinjaId : find(model, named).family.id;
}

/**
 * The renderer of a model.
 * @throws VfError `misfit/no_renderer` for a model that is in no list and names no family, and for `jinja`, which
 * `loadJinja` makes; `misfit/tokenizer` when the tokenizer is another family's
 */
export function rendererFor(
  model: string,
  tokenizer: Tokenizer,
  options: RendererOptions & { readonly renderer?: string } = {},
): Renderer {
  const { renderer, ...rest } = options;
  const { family, quiet } = find(model, renderer);
  const thinking = rest.thinking ?? (quiet?.includes(model) === true ? false : undefined);
  return makeRenderer(family, tokenizer, {
    ...rest,
    ...(thinking === undefined ? {} : { thinking }),
  });
}

function find(model: string, named: string | undefined): KnownFamily {
  const found =
    named === undefined
      ? knownFamilies.find(({ models }) => models.includes(model))
      : knownFamilies.find(({ family }) => family.id === named);
  if (found !== undefined) return found;
  throw named === undefined ? unknownModel(model) : unknownFamily(named);
}

const fallback = `${jinjaId}, the model's own template, with limits`;

function unknownModel(model: string): VfError {
  const known = knownFamilies.flatMap(({ models }) => models);
  const close = nearest(model, known);
  return new VfError(
    'misfit/no_renderer',
    `No renderer is known for the model ${JSON.stringify(model)}${close === null ? '' : `; the nearest name is ${close}`}.`,
    {
      hint: `A fine-tune names its family: client.renderer = one of ${familyIds.join(', ')}; or ${fallback}.`,
    },
  );
}

function unknownFamily(named: string): VfError {
  return new VfError('misfit/no_renderer', `There is no renderer ${JSON.stringify(named)}.`, {
    hint: `Name one of ${familyIds.join(', ')}; or ${fallback}.`,
  });
}
