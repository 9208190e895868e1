import type { TaskInstance } from '@vf/run';
import type { JsonRecord } from '../request/is-record.ts';
import { withoutSecrets } from '../request/secret-fields.ts';

const largestPage = 1_000;

/**
 * Rows from `offset` on, at most `limit` of them, with how many there are. What a row has of its environment may be
 * secret and stays here.
 */
export function taskPage(
  tasks: readonly TaskInstance[],
  { offset, limit }: JsonRecord,
): JsonRecord {
  const first = typeof offset === 'number' ? Math.max(0, Math.trunc(offset)) : 0;
  const count = typeof limit === 'number' ? Math.trunc(limit) : largestPage;
  const page = tasks.slice(first, first + Math.max(1, Math.min(count, largestPage)));
  return { total: tasks.length, tasks: page.map(sentRow) };
}

function sentRow({ key, hash, row }: TaskInstance): JsonRecord {
  return { key, hash, row: withoutSecrets(row) };
}
