import type { Delta, ToolCall } from '@vf/core';
import { isObject, numberOf, objectOf, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { argumentsOf } from '../request/assistant.ts';

interface OpenCall {
  readonly position: number;
  id: string;
  name: string;
  arguments: string;
  isCustom: boolean;
  /** Told as a delta; arguments that come before the name wait for it. */
  isTold: boolean;
}

/**
 * Joins fragments of tool calls. Fragments belong together by `index`; servers that leave it out are followed by id,
 * then by order. Several whole calls that all say index 0 are told apart by their ids.
 */
export class ToolCallAssembly {
  readonly #calls: OpenCall[] = [];
  readonly #byIndex = new Map<number, OpenCall>();
  readonly #byId = new Map<string, OpenCall>();

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  add(fragment: unknown): readonly Delta[] {
    if (!isObject(fragment)) return [];
    const call = this.#callOf(fragment);
    const custom = isObject(fragment['custom']) ? fragment['custom'] : null;
    const called = custom ?? objectOf(fragment['function']);
    if (custom !== null || fragment['type'] === 'custom') call.isCustom = true;
    // Set, not appended: some servers say the name in every fragment.
    call.name = stringOf(called['name']) || call.name;
    const more = argumentsOf(custom === null ? called['arguments'] : called['input']);
    call.arguments += more;
    return tell(call, more);
  }

  /** The deprecated `function_call`, of which a reply holds one. */
  addLegacy(called: JsonObject): readonly Delta[] {
    return this.add({ index: 0, function: called });
  }

  calls(): readonly ToolCall[] {
    return this.#calls.map((call) => ({
      id: call.id,
      name: call.name,
      arguments: call.arguments,
      ...(call.isCustom ? { kind: 'custom' as const } : {}),
    }));
  }

  #callOf(fragment: JsonObject): OpenCall {
    const index = numberOf(fragment['index']);
    const id = stringOf(fragment['id']) ?? '';
    const open = this.#find(index, id);
    if (open !== undefined && !isAnother(open, id, fragment)) {
      if (open.id === '') this.#name(open, id);
      return open;
    }
    const call: OpenCall = {
      position: this.#calls.length,
      id: '',
      name: '',
      arguments: '',
      isCustom: false,
      isTold: false,
    };
    this.#calls.push(call);
    this.#name(call, id);
    if (index !== null) this.#byIndex.set(index, call);
    return call;
  }

  #find(index: number | null, id: string): OpenCall | undefined {
    if (index !== null) return this.#byIndex.get(index);
    return id === '' ? this.#calls.at(-1) : this.#byId.get(id);
  }

  #name(call: OpenCall, id: string): void {
    if (id === '') return;
    call.id = id;
    this.#byId.set(id, call);
  }
}

/** A new id with a name begins another call, even under an index that is taken. */
function isAnother(open: OpenCall, id: string, fragment: JsonObject): boolean {
  const called = objectOf(fragment['function'] ?? fragment['custom']);
  return id !== '' && open.id !== '' && open.id !== id && Boolean(stringOf(called['name']));
}

function tell(call: OpenCall, more: string): readonly Delta[] {
  const { position: index, id, name } = call;
  if (call.isTold) return more === '' ? [] : [{ type: 'arguments', index, text: more }];
  if (name === '') return [];
  call.isTold = true;
  const opening: Delta = {
    type: 'call',
    index,
    id,
    name,
    ...(call.isCustom ? { custom: true as const } : {}),
  };
  return call.arguments === ''
    ? [opening]
    : [opening, { type: 'arguments', index, text: call.arguments }];
}
