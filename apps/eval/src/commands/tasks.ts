import { VfError } from '@vf/core/errors';
import { loadTasks, loadTaskset } from '@vf/run';
import type { TaskInstance } from '@vf/run';
import { textOf } from '@vf/core/trace';
import { parseCommandLine } from '../args/parse-args.ts';
import { asName, cut, oneLine } from '../screen/one-line.ts';
import { openSession } from '../session.ts';

/** `vf tasks TASKSET` */
export async function run(argv: readonly string[]): Promise<number> {
  const args = parseCommandLine(argv, { booleans: ['json'], values: ['env-file'], config: true });
  const { resolved, host } = await openSession(args, { taskset: args.positionals[0] });
  const { config } = resolved;
  const { signal } = new AbortController();
  const taskset = await loadTaskset(config, host, signal);
  if (taskset.problems.length > 0)
    throw new VfError('config/invalid', `taskset ${taskset.name} or its options are wrong`, {
      problems: taskset.problems,
    });
  if (taskset.spec.infinite === true && config.numExamples === null)
    throw new VfError('usage/invalid', `taskset ${taskset.name} never ends`, { hint: '-n 20' });
  const tasks = await loadTasks(taskset, { ...config.select, limit: config.numExamples }, signal);
  for (const task of tasks)
    process.stdout.write(
      `${args.booleans.has('json') ? JSON.stringify(rowOf(task)) : line(task)}\n`,
    );
  if (!args.booleans.has('json'))
    process.stderr.write(`${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}\n`);
  return 0;
}

/** The row with its key; values of `env` may be secrets and are left out. */
function rowOf({ key, hash, row }: TaskInstance): Record<string, unknown> {
  const { env, ...rest } = row;
  return { key, hash, ...rest, ...(env === undefined ? {} : { env: Object.keys(env as object) }) };
}

const longestCell = 200;

function line({ key, task }: TaskInstance): string {
  const last =
    typeof task.prompt === 'string' ? task.prompt : textOf(task.prompt?.at(-1)?.content ?? '');
  const limits = Object.entries(task.timeouts ?? {}).map(
    ([stage, ms]) => `${stage} ${ms / 1000} s`,
  );
  return [key, task.name ?? '', task.image ?? '', limits.join(' '), oneLine(last, 80)]
    .map((cell) => cut(asName(cell), longestCell))
    .filter((cell) => cell !== '')
    .join('  ');
}
