import { decode } from '@msgpack/msgpack';
import type { Sampling } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { parseSampling, templateOptions } from '@vf/run';
import { fieldsOf } from '../wire/scan.ts';
import { readClient } from './client-spec.ts';
import type { ClientSpec } from './client-spec.ts';
import { isRecord } from './is-record.ts';
import type { JsonRecord } from './is-record.ts';
import { Remembered } from './remembered.ts';
import { readTask } from './task-data.ts';
import type { KnownTasks, SentTask } from './task-data.ts';

/** What a trainer asks for: one episode of one task. */
export interface RunRequest {
  readonly task: SentTask;
  readonly client: ClientSpec;
  readonly model: string;
  readonly sampling: Sampling;
}

/** The map of a request. @throws VfError usage/invalid */
export function readMap(payload: Uint8Array): JsonRecord {
  const value = unpacked(payload);
  if (!isRecord(value)) throw malformed('the payload is no map');
  return value;
}

/** Reads what trainers ask for. */
export class RunRequests {
  readonly #tasks: KnownTasks;
  readonly #sent = new Remembered<SentTask>();
  readonly #clients = new Remembered<ClientSpec>();
  readonly #samplings = new Remembered<Sampling>();

  constructor(tasks: KnownTasks) {
    this.#tasks = tasks;
  }

  /** @throws VfError usage/invalid, config/invalid, misfit/no_renderer, taskset/invalid_row */
  read(payload: Uint8Array): RunRequest {
    const fields = fieldsIn(payload);
    const task = this.#sent.of(needed(fields, 'task_data'), (packed) =>
      readTask(mapOf(packed, 'task_data'), packed, this.#tasks),
    );
    const client = this.#clients.of(needed(fields, 'client'), (packed) =>
      readClient(mapOf(packed, 'client')),
    );
    const sampling = fields.get('sampling');
    const settings =
      sampling === undefined
        ? {}
        : this.#samplings.of(sampling, (packed) => parseSampling(flat(mapOf(packed, 'sampling'))));
    return { task, model: nameOf(needed(fields, 'model')), ...templated(client, settings) };
  }
}

function fieldsIn(payload: Uint8Array): ReadonlyMap<string, Uint8Array> {
  try {
    const fields = fieldsOf(payload);
    if (fields !== null) return fields;
  } catch (error) {
    throw malformed(`the payload is no msgpack: ${error instanceof Error ? error.message : ''}`);
  }
  throw malformed('the payload is no map');
}

function needed(fields: ReadonlyMap<string, Uint8Array>, name: string): Uint8Array {
  const bytes = fields.get(name);
  if (bytes === undefined) throw malformed(`run needs ${name}`);
  return bytes;
}

function mapOf(packed: Uint8Array, name: string): JsonRecord {
  const value = unpacked(packed);
  if (!isRecord(value)) throw malformed(`run needs ${name}, a map`);
  return value;
}

function nameOf(packed: Uint8Array): string {
  const value = unpacked(packed);
  if (typeof value !== 'string' || value === '') throw malformed('run needs model, a name');
  return value;
}

function unpacked(bytes: Uint8Array): unknown {
  try {
    return decode(bytes);
  } catch (error) {
    throw malformed(`the payload is no msgpack: ${error instanceof Error ? error.message : ''}`);
  }
}

/** `extra_body` joins the settings; those that stand beside it win. */
function flat({ extra_body: extra, ...sampling }: JsonRecord): JsonRecord {
  return isRecord(extra) ? { ...extra, ...sampling } : sampling;
}

/** What the settings say of the template is the renderer's where token ids are sampled. */
function templated(
  client: ClientSpec,
  sampling: Sampling,
): Pick<RunRequest, 'client' | 'sampling'> {
  const { chat_template_kwargs: template, ...extra } = sampling.extra ?? {};
  if (client.train === null || template === undefined) return { client, sampling };
  const { renderer } = client.train;
  const options = { ...renderer.options, ...templateOptions(sampling) };
  return {
    client: { ...client, train: { ...client.train, renderer: { ...renderer, options } } },
    sampling: { ...sampling, extra },
  };
}

export function malformed(message: string): VfError {
  return new VfError('usage/invalid', message);
}
