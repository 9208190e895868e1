import { VfError } from '@vf/core/errors';
import { taskOfRow } from '@vf/run';
import type { RunPlan, TaskInstance } from '@vf/run';
import { pack, Packed } from '@vf/wire';
import { pythonHash } from '../wire/python-json.ts';
import { NotMsgpack } from '../wire/scan.ts';
import { isRecord } from './is-record.ts';
import type { JsonRecord } from './is-record.ts';
import { rowOf } from './peer-row.ts';
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
