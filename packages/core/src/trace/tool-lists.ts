import type { ToolSpec } from '../call.ts';
import { sortedJson } from './canonical-json.ts';

/** The tool lists that conversations were sent with, each once. */
export class ToolLists {
  readonly #byKey = new Map<string, number>();
  readonly #lists: (readonly ToolSpec[])[] = [];

  indexOf(tools: readonly ToolSpec[]): number {
    const key = sortedJson(tools.map(withoutDefaults));
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const index = this.#lists.push(tools) - 1;
    this.#byKey.set(key, index);
    return index;
  }

  at(index: number): readonly ToolSpec[] {
    return this.#lists[index] ?? [];
  }
}

/** Two declarations that differ only in what is assumed anyway are one tool. */
function withoutDefaults(tool: ToolSpec): ToolSpec {
  const { kind, description, ...rest } = tool;
  return {
    ...rest,
    ...(kind === undefined || kind === 'function' ? {} : { kind }),
    ...(description === undefined || description === '' ? {} : { description }),
  };
}
