import { VfError } from '@vf/core/errors';
import { taskOfRow } from '@vf/run';
import type { RunPlan, TaskInstance } from '@vf/run';
import { pack, Packed } from '@vf/wire';
import { pythonHash } from '../wire/python-json.ts';
import { NotMsgpack } from '../wire/scan.ts';
import { isRecord } from './is-record.ts';
import type { JsonRecord } from './is-record.ts';
import { withSecretsOf } from './secret-fields.ts';

/** A task as a trainer sent it: what vf plays, and what goes back so that the trainer knows it again. */
export interface SentTask {
  readonly instance: TaskInstance;
  readonly type: string;
  readonly key: string;
  readonly hash: string;
  /** How it goes back: the data byte for byte as it came, so that a float stays a float. */
  readonly packed: Packed;
}

/** The tasks that a server plays: of which taskset, and those that it has loaded itself. */
export interface KnownTasks {
  readonly taskset: RunPlan['episode']['taskset'];
  readonly byKey: ReadonlyMap<string, TaskInstance>;
}

/** The task of a request. @throws VfError taskset/invalid_row */
export function readTask(
  data: JsonRecord,
  packedData: Uint8Array,
  { taskset, byKey }: KnownTasks,
): SentTask {
  const type = taskset.name;
  const own = data['vf'];
  if (isRecord(own) && typeof own['key'] === 'string' && typeof own['hash'] === 'string') {
    const { key, hash } = own;
    const known = byKey.get(key);
    const isOurs = known?.hash === hash;
    const row = isOurs ? withSecretsOf(rowOf(data), known.row) : rowOf(data);
    return sentTask(taskOfRow(taskset, row), { type, key, hash }, packedData);
  }
  const hash = hashOf(packedData);
  return sentTask(taskOfRow(taskset, rowOf(data)), { type, key: hash, hash }, packedData);
}

/** @throws VfError taskset/invalid_row for data that Python could not have written as JSON */
function hashOf(packedData: Uint8Array): string {
  try {
    return pythonHash(packedData);
  } catch (error) {
    if (!(error instanceof NotMsgpack)) throw error;
    throw new VfError('taskset/invalid_row', `task_data: ${error.message}`, { cause: error });
  }
}

function sentTask(
  instance: TaskInstance,
  known: Pick<SentTask, 'type' | 'key' | 'hash'>,
  packedData: Uint8Array,
): SentTask {
  return {
    instance,
    ...known,
    packed: new Packed(pack({ ...known, data: new Packed(packedData) })),
  };
}

/** Fields of the peer's data that a row of vf has under another name, or not at all when they say nothing. */
const renamed: Readonly<Record<string, string>> = {
  system_prompt: 'systemPrompt',
  agent_user: 'user',
};
const positional = new Set(['idx', 'id', 'vf']);

/**
 * The row in the data of a task: the fields of `vf.row` when the `vf-env` package wrote it, else the fields that a row
 * of vf has too. What the peer's model fills in by itself is left out.
 */
function rowOf(data: JsonRecord): JsonRecord {
  const row: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(data)) {
    if (positional.has(name) || value === null || isUnset(name, value)) continue;
    if (name === 'timeout') row['timeouts'] = timeouts(value);
    else row[renamed[name] ?? name] = value;
  }
  const own = data['vf'];
  return isRecord(own) && isRecord(own['row']) ? { ...row, ...own['row'] } : row;
}

const defaultArtifactBytes = 33_554_432;

/** Does the field say what it says when nobody sets it? */
function isUnset(name: string, value: unknown): boolean {
  switch (name) {
    case 'skills':
    case 'artifacts':
    case 'network_block':
      return Array.isArray(value) && value.length === 0;
    case 'network_allow':
      return isAnywhere(value);
    // From verifiers 0.4.1 on.
    case 'network':
      return (
        isRecord(value) && isAnywhere(value['allow']) && isUnset('network_block', value['block'])
      );
    case 'scoring':
      return isRecord(value) && value['mode'] === 'shared' && value['skip_on_timeout'] === false;
    case 'artifact_max_bytes':
      return value === defaultArtifactBytes;
    case 'timeout':
    case 'resources':
      return isRecord(value) && Object.values(value).every((part) => part === null);
    default:
      return false;
  }
}

/** Are these the hosts of a task that may reach all? */
function isAnywhere(hosts: unknown): boolean {
  return Array.isArray(hosts) && hosts.length === 1 && hosts[0] === '*';
}

/** Seconds to milliseconds. */
function timeouts(value: unknown): JsonRecord {
  if (!isRecord(value)) throw new VfError('taskset/invalid_row', 'timeout is no map of stages');
  return Object.fromEntries(
    Object.entries(value).flatMap(([stage, seconds]) =>
      typeof seconds === 'number' ? [[stage, seconds * 1000]] : [],
    ),
  );
}
