import type { Taskset, z } from '@vf/core';
import { beforeAll, describe, expect, test } from 'vitest';

export type MakeTaskset = () => Taskset | Promise<Taskset>;

export interface TasksetSuiteOptions {
  /** The taskset's options as its user writes them; default none, so each must have a default. */
  readonly config?: object;
  /** Rows that are looked at; default 50. */
  readonly rows?: number;
  /** For one test, in milliseconds; default 60,000. */
  readonly timeoutMs?: number;
}

type Row = Readonly<Record<string, unknown>>;

/**
 * The contract of a taskset as far as it holds without a rollout: options, rows, tools. That its reference solutions
 * score full marks and that doing nothing scores none is for `vf validate` to see.
 */
export function describeTaskset(make: MakeTaskset, options: TasksetSuiteOptions = {}): void {
  describe('taskset contract', { timeout: options.timeoutMs ?? 60_000 }, () => {
    let taskset: Taskset;
    let config: object;
    let rows: readonly Row[];
    beforeAll(async () => {
      taskset = await make();
      config = await parsed(taskset.spec.config, options.config ?? {});
      rows = await firstRows(taskset, config, options.rows ?? 50);
    }, options.timeoutMs ?? 60_000);

    test('is what defineTaskset returns', () => {
      expect(taskset).toMatchObject({ kind: 'taskset', specVersion: 1 });
      expect(taskset.spec.load).toBeTypeOf('function');
    });

    test('has rows, and each is an object of JSON', () => {
      expect(rows.length).toBeGreaterThan(0);
      for (const [i, row] of rows.entries())
        expect(JSON.parse(JSON.stringify(row)), `row ${i}`).toEqual(row);
    });

    test('has rows that fit its own schema', async () => {
      for (const [i, row] of rows.entries()) {
        const result = await taskset.spec.data?.safeParseAsync(row);
        expect(result?.error?.issues ?? [], `row ${i}`).toEqual([]);
      }
    });

    test('names no two rows alike', () => {
      const keys = rows.flatMap(({ key }) => (key === undefined ? [] : [key]));
      expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
      const whole = rows.map((row) => JSON.stringify(row));
      expect(new Set(whole).size, 'rows without a key are told apart by their content').toBe(
        whole.length,
      );
    });

    test('gives the same rows when it is asked again, or a run could not be resumed', async () => {
      expect(await firstRows(taskset, config, rows.length)).toEqual(rows);
    });

    test('scores: it has a reward for one rollout or for a group', () => {
      const { rewards, groupRewards } = taskset.spec;
      expect(Object.keys({ ...rewards, ...groupRewards })).not.toEqual([]);
    });
  });
}

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
