import { VfError } from '@vf/core/errors';
import { isRecord } from './is-record.ts';
import type { JsonRecord } from './is-record.ts';

const positional = new Set(['idx', 'id', 'vf']);

/**
 * The row in the data of a task: the fields of `vf.row` when the `vf-env` package wrote it, else those of verifiers' own
 * that a row of vf has too, and the author's. What verifiers' model fills in by itself is left out.
 * @throws VfError taskset/invalid_row
 */
export function rowOf(data: JsonRecord): JsonRecord {
  const fields = Object.entries(data)
    .filter(([name, value]) => !positional.has(name) && value !== null && !isUnset(name, value))
    .map(([name, value]) => fieldOf(name, value));
  const row = Object.fromEntries(fields);
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
      return isEmpty(value);
    case 'network_allow':
      return isAnywhere(value);
    // From verifiers 0.4.1 on.
    case 'network':
      return isRecord(value) && isAnywhere(value['allow']) && isEmpty(value['block']);
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

/** A field under the name and in the form of a row of vf; one that has none there stays, for the row's check to name. */
function fieldOf(name: string, value: unknown): readonly [name: string, value: unknown] {
  switch (name) {
    case 'system_prompt':
      return ['systemPrompt', value];
    case 'agent_user':
      return ['user', value];
    case 'timeout':
      return ['timeouts', timeouts(value)];
    case 'resources':
      return [name, resources(value)];
    case 'network_allow':
      return ['network', policyOf(value)];
    case 'network':
      return [name, isRecord(value) && isEmpty(value['block']) ? policyOf(value['allow']) : value];
    default:
      return [name, value];
  }
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0;
}

/** Are these the hosts of a task that may reach all? */
function isAnywhere(hosts: unknown): boolean {
  return Array.isArray(hosts) && hosts.length === 1 && hosts[0] === '*';
}

function policyOf(hosts: unknown): JsonRecord {
  return isEmpty(hosts) ? { mode: 'no-network' } : { mode: 'allowlist', hosts };
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

/** Gigabytes to megabytes, and `A100:2` to how many. */
function resources(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { memory, disk, gpu, ...others } = value;
  return Object.fromEntries(
    Object.entries({
      memoryMb: typeof memory === 'number' ? memory * 1024 : memory,
      diskMb: typeof disk === 'number' ? disk * 1024 : disk,
      gpus: typeof gpu === 'string' ? Number(/:(\d+)$/.exec(gpu)?.[1] ?? 1) : gpu,
      ...others,
    }).filter(([, part]) => part != null),
  );
}
