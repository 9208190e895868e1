import { decode } from '@msgpack/msgpack';
import type { Sampling } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { parseSampling } from '@vf/run';
import { fieldOf } from '../wire/scan.ts';
import { readClient } from './clients.ts';
import type { ClientSpec } from './clients.ts';
import { isRecord } from './is-record.ts';
import type { JsonRecord } from './is-record.ts';
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
  let value: unknown;
  try {
    value = decode(payload);
  } catch (error) {
    throw malformed(`the payload is no msgpack: ${error instanceof Error ? error.message : ''}`);
  }
  if (!isRecord(value)) throw malformed('the payload is no map');
  return value;
}

/** @throws VfError usage/invalid, config/invalid, misfit/plan, taskset/invalid_row */
export function readRunRequest(payload: Uint8Array, tasks: KnownTasks): RunRequest {
  const { task_data: data, client, model, sampling } = readMap(payload);
  const packedData = fieldOf(payload, 'task_data');
  if (!isRecord(data) || packedData === null) throw malformed('run needs task_data, a map');
  if (typeof model !== 'string' || model === '') throw malformed('run needs model, a name');
  if (!isRecord(client)) throw malformed('run needs client, a map');
  if (sampling !== undefined && !isRecord(sampling)) throw malformed('sampling is no map');
  return {
    task: readTask(data, packedData, tasks),
    client: readClient(client),
    model,
    sampling: parseSampling(flat(sampling ?? {})),
  };
}

/** `extra_body` joins the settings; those that stand beside it win. */
function flat({ extra_body: extra, ...sampling }: JsonRecord): JsonRecord {
  return isRecord(extra) ? { ...extra, ...sampling } : sampling;
}

export function malformed(message: string): VfError {
  return new VfError('usage/invalid', message);
}
