import type { Message } from '../../message.ts';
import type { TraceTask } from '../trace.ts';
import { Fields, integer, list, number, object, string } from './fields.ts';
import type { Kind } from './fields.ts';
import { compact, isObject, orNone } from './json-object.ts';
import type { JsonObject } from './json-object.ts';
import { readPrompt, splitMessage } from './messages.ts';

/** A task as the verifiers models take it, and the fields of its row that only `info.vf` can hold. */
export interface TaskRecord {
  readonly task: JsonObject;
  /** Fields as the row gives them, where the record's form is another or there is none. */
  readonly given: JsonObject | undefined;
}

export function writeTask(task: TraceTask): TaskRecord {
  const given = new Map<string, unknown>();
  const data = Object.entries(task.data).flatMap(([name, value]) => {
    const written = writeField(name, value, task.data);
    if (written.isPartial) given.set(name, value);
    return Object.entries(written.fields);
  });
  return {
    task: compact({
      type: task.type,
      data: Object.fromEntries(data),
      key: task.key || undefined,
      hash: task.hash || undefined,
    }),
    given: orNone(Object.fromEntries(given)),
  };
}

/** Fields of a record that are made from a field of the row under another name. */
const madeFrom: Readonly<Record<string, string>> = {
  timeout: 'timeouts',
  network_allow: 'network',
};

interface WrittenField {
  readonly fields: JsonObject;
  /** The fields do not give the value back. */
  readonly isPartial: boolean;
}

function writeField(name: string, value: unknown, row: JsonObject): WrittenField {
  switch (name) {
    case 'prompt':
      return writePromptField(value);
    case 'systemPrompt':
      if (typeof value !== 'string') return { fields: {}, isPartial: true };
      return { fields: { system_prompt: value }, isPartial: false };
    case 'timeouts':
      return { fields: isObject(value) ? { timeout: inSeconds(value) } : {}, isPartial: true };
    case 'resources':
      return { fields: isObject(value) ? { resources: resources(value) } : {}, isPartial: true };
    case 'network':
      return { fields: isObject(value) ? network(value) : {}, isPartial: true };
    case 'artifacts':
      return { fields: list.is(value) ? { artifacts: value.map(artifact) } : {}, isPartial: true };
    case 'system_prompt':
      return { fields: {}, isPartial: true };
    default:
      return isClaimed(name, row) ? { fields: {}, isPartial: true } : writeOwn(name, value);
  }
}

/** The author's field has the name under which a standard field of the row is written. */
function isClaimed(name: string, row: JsonObject): boolean {
  const source = madeFrom[name];
  return source !== undefined && Object.hasOwn(row, source);
}

/** Names that the verifiers models give a type; a row's own value of another type goes to `info.vf`. */
const reserved: Readonly<Record<string, Kind<unknown>>> = {
  idx: integer,
  id: string,
  name: string,
  description: string,
  image: string,
  workdir: string,
  agent_user: string,
  skills: { name: 'paths', is: (value): value is unknown => strings(value) },
  network_allow: { name: 'hosts', is: (value): value is unknown => strings(value) },
  network_block: { name: 'hosts', is: (value): value is unknown => strings(value) },
  artifact_max_bytes: integer,
  timeout: {
    name: 'seconds',
    is: (value): value is unknown => isObject(value) && Object.values(value).every(number.is),
  },
};

function strings(value: unknown): boolean {
  return list.is(value) && value.every(string.is);
}

function writeOwn(name: string, value: unknown): WrittenField {
  const isOdd = Object.hasOwn(reserved, name) && reserved[name]?.is(value) === false;
  // A null reads as absent in Python, and a row may well hold one.
  if (isOdd || value === null) return { fields: {}, isPartial: true };
  return { fields: { [name]: value }, isPartial: false };
}

function writePromptField(value: unknown): WrittenField {
  if (!list.is(value)) {
    return string.is(value)
      ? { fields: { prompt: value }, isPartial: false }
      : { fields: {}, isPartial: true };
  }
  const split = (value as readonly Message[]).map(splitMessage);
  return {
    fields: { prompt: split.map(({ message }) => message) },
    isPartial: split.some(({ extra }) => Object.keys(extra).length > 0),
  };
}

/** Limits of the stages that the peer has; ours are in milliseconds. */
function inSeconds(timeouts: JsonObject): JsonObject {
  const stages = ['setup', 'agent', 'finalize', 'scoring'];
  return Object.fromEntries(
    stages.flatMap((stage) => {
      const value = timeouts[stage];
      return number.is(value) ? [[stage, value / 1000]] : [];
    }),
  );
}

function resources(given: JsonObject): JsonObject {
  const gigabytes = (value: unknown) => (number.is(value) ? value / 1024 : undefined);
  return compact({
    cpu: number.is(given['cpu']) ? given['cpu'] : undefined,
    memory: gigabytes(given['memoryMb']),
    disk: gigabytes(given['diskMb']),
  });
}

function network(given: JsonObject): JsonObject {
  if (given['mode'] === 'no-network') return { network_allow: [] };
  if (given['mode'] === 'allowlist' && strings(given['hosts'])) {
    return { network_allow: given['hosts'] };
  }
  return {};
}

function artifact(given: unknown): JsonObject {
  if (!isObject(given)) return { source: String(given) };
  return compact({
    source: String(given['source']),
    exclude: strings(given['exclude']) ? given['exclude'] : undefined,
    required: given['required'] === false ? false : undefined,
    service: typeof given['service'] === 'string' ? given['service'] : undefined,
  });
}

/** @param given the row's fields that `info.vf` keeps */
export function readTask(fields: Fields, given: JsonObject = {}): TraceTask {
  const record = new Fields(fields.required('data', object), fields.at('data'));
  const kept = new Map<string, unknown>();
  for (const name of record.keys()) {
    if (isClaimed(name, given)) continue;
    if (name === 'system_prompt') kept.set('systemPrompt', record.peek(name));
    else if (name === 'prompt') kept.set(name, readPrompt(record, name) ?? null);
    else kept.set(name, record.peek(name));
  }
  for (const [name, value] of Object.entries(given)) kept.set(name, value);
  return {
    type: fields.optional('type', string) ?? '',
    key: fields.optional('key', string) ?? '',
    hash: fields.optional('hash', string) ?? '',
    data: Object.fromEntries(kept),
  };
}
