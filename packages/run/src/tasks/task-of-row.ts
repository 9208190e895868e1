import type { AnyTasksetSpec } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { TaskInstance } from '@vf/rollout';
import { checkRow } from './check-row.ts';
import { taskOf } from './task-key.ts';

/** One row that came from elsewhere, checked as those of `load` are. @throws VfError taskset/invalid_row */
export function taskOfRow(
  taskset: { readonly name: string; readonly spec: AnyTasksetSpec },
  row: unknown,
): TaskInstance {
  const checked = checkRow(row, taskset.spec.data, 0);
  if (!('problems' in checked)) return taskOf(checked);
  const { problems } = checked;
  const first = problems[0];
  throw new VfError(
    'taskset/invalid_row',
    `the row does not fit taskset ${taskset.name}: ${first?.path} ${first?.message}`,
    {
      problems,
      hint: 'a request brings a row itself: of what the server lists as its tasks, the row',
    },
  );
}
