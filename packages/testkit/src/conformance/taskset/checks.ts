import { tasksetProblems } from '@vf/core';
import type { Taskset, z } from '@vf/core';
import { expect } from 'vitest';

export interface TasksetSuiteOptions {
  /** The taskset's options as its user writes them; default none, so each must have a default. */
  readonly config?: object;
  /** Rows that are looked at; default 50. */
  readonly rows?: number;
  /** For one test, in milliseconds; default 60,000. */
  readonly timeoutMs?: number;
}

type Row = Readonly<Record<string, unknown>>;

/** A taskset with its options set and its first rows loaded. */
export interface LoadedTaskset {
  readonly taskset: Taskset;
  readonly config: object;
  readonly rows: readonly Row[];
}

/** @throws what the options' schema or `load` throws */
export async function loadRows(
  taskset: Taskset,
  options: TasksetSuiteOptions,
): Promise<LoadedTaskset> {
  const config = await parsed(taskset.spec.config, options.config ?? {});
  return { taskset, config, rows: await firstRows(taskset, config, options.rows ?? 50) };
}

/** What the contract asks of a taskset, one check for each test. */
export const tasksetChecks: readonly {
  readonly name: string;
  readonly run: (loaded: LoadedTaskset) => Promise<void>;
}[] = [
  {
    name: 'is what defineTaskset returns',
    async run({ taskset }) {
      expect(taskset).toMatchObject({ kind: 'taskset', specVersion: 1 });
    },
  },
  {
    name: 'has only fields that vf knows, and tools, hooks and rewards that it can call',
    async run({ taskset }) {
      expect(tasksetProblems(taskset.spec, 'under test')).toEqual([]);
    },
  },
  {
    name: 'has rows, and each is an object of JSON',
    async run({ rows }) {
      expect(rows.length).toBeGreaterThan(0);
      for (const [i, row] of rows.entries())
        expect(JSON.parse(JSON.stringify(row)), `row ${i}`).toEqual(row);
    },
  },
  {
    name: 'has rows that fit its own schema',
    async run({ taskset, rows }) {
      for (const [i, row] of rows.entries()) {
        const result = await taskset.spec.data?.safeParseAsync(row);
        expect(result?.error?.issues ?? [], `row ${i}`).toEqual([]);
      }
    },
  },
  {
    name: 'names no two rows alike; rows without a key are told apart by their content',
    async run({ rows }) {
      const names = rows.map((row) => JSON.stringify(row['key'] ?? row));
      expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    },
  },
  {
    name: 'gives the same rows when it is asked again, or a run could not be resumed',
    async run({ taskset, config, rows }) {
      expect(await firstRows(taskset, config, rows.length)).toEqual(rows);
    },
  },
  {
    name: 'scores: it has a reward for one rollout or for a group',
    async run({ taskset }) {
      const { rewards, groupRewards } = taskset.spec;
      expect(Object.keys({ ...rewards, ...groupRewards })).not.toEqual([]);
    },
  },
];

async function parsed(schema: z.ZodType | undefined, config: object): Promise<object> {
  return ((await schema?.parseAsync(config)) as object | undefined) ?? {};
}

async function firstRows({ spec }: Taskset, config: object, count: number): Promise<Row[]> {
  const { signal } = new AbortController();
  const rows: Row[] = [];
  for await (const row of await spec.load({ config, signal })) {
    rows.push(row);
    if (rows.length >= count) break;
  }
  return rows;
}
