import type { Dialect } from '@vf/core';

/** The model list as OpenAI spells it. */
export const models: Dialect['models'] = (ids) =>
  new TextEncoder().encode(
    JSON.stringify({
      object: 'list',
      data: ids.map((id) => ({ id, object: 'model', created: 0, owned_by: 'vf' })),
    }),
  );
