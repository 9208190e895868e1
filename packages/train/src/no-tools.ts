import { VfError } from '@vf/core/errors';
import type { Renderer } from '@vf/renderers';

/** Why a renderer refuses tools, whatever they are; null for one that takes them. */
export function noTools(renderer: Renderer): string | null {
  const messages = [{ role: 'user', content: 'Hello.' }] as const;
  const properties = { path: { type: 'string', description: 'Where to look.' } };
  const parameters = { type: 'object', properties, required: ['path'] };
  try {
    renderer.render({ messages, tools: [{ name: 'look', description: 'Looks.', parameters }] });
    return null;
  } catch (error) {
    if (VfError.isInstance(error) && error.code === 'misfit/not_renderable') return error.message;
    throw error;
  }
}
