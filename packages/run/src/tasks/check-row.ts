import { z } from '@vf/core';
import type { Problem } from '@vf/core/errors';
import { unwritable } from './row-json.ts';
import { meant, prompt } from './row-messages.ts';
import type { CheckedRow } from './task-key.ts';
import { nearest } from '@vf/core/errors';

const stageMs = z.number().positive();
/** The standard fields of a row, as the contract names them. */
const standardFields = z.object({
  key: z.string().min(1).optional(),
  name: z.string().optional(),
  prompt: prompt.optional(),
  systemPrompt: z.string().optional(),
  image: z.string().optional(),
  build: z.strictObject({ context: z.string(), dockerfile: z.string().optional() }).optional(),
  compose: z
    .strictObject({
      files: z.array(z.string()).min(1),
      variables: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  workdir: z.string().optional(),
  user: z.union([z.string(), z.int().nonnegative()]).optional(),
  runsEntrypoint: z.boolean().optional(),
  env: z.record(z.string(), z.string()).optional(),
  resources: z
    .strictObject({
      cpu: z.number().positive(),
      memoryMb: z.number().positive(),
      diskMb: z.number().positive(),
      gpus: z.number().int().nonnegative(),
    })
    .partial()
    .optional(),
  timeouts: z
    .strictObject({
      boot: stageMs,
      setup: stageMs,
      agent: stageMs,
      finalize: stageMs,
      scoring: stageMs,
    })
    .partial()
    .optional(),
  network: z
    .discriminatedUnion('mode', [
      z.strictObject({ mode: z.literal('public') }),
      z.strictObject({ mode: z.literal('no-network') }),
      z.strictObject({ mode: z.literal('allowlist'), hosts: z.array(z.string()) }),
    ])
    .optional(),
  artifacts: z
    .array(
      z.union([
        z.string(),
        z.strictObject({
          source: z.string(),
          exclude: z.array(z.string()).optional(),
          required: z.boolean().optional(),
          destination: z.string().optional(),
          service: z.string().optional(),
        }),
      ]),
    )
    .optional(),
  brings: z
    .strictObject({
      skills: z.boolean(),
      mcp: z.array(z.enum(['stdio', 'sse', 'streamable-http'])),
    })
    .partial()
    .optional(),
});
const standardNames = Object.keys(standardFields.shape);

/** Checks one row against the standard fields and its author's schema; `row` counts from 0. */
export function checkRow(
  raw: unknown,
  schema: z.ZodType | undefined,
  row: number,
): CheckedRow | { readonly problems: readonly Problem[] } {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return {
      problems: [
        {
          path: `row ${row}`,
          message: `expected an object, got ${Array.isArray(raw) ? 'a list' : String(raw)}`,
        },
      ],
    };
  }
  try {
    return checkFields(raw as Readonly<Record<string, unknown>>, schema, row);
  } catch (error) {
    // A getter or a refinement of the author's.
    const why = error instanceof Error ? error.message : String(error);
    return { problems: [{ path: `row ${row}`, message: `cannot be read: ${why}` }] };
  }
}

function checkFields(
  fields: Readonly<Record<string, unknown>>,
  schema: z.ZodType | undefined,
  row: number,
): ReturnType<typeof checkRow> {
  const standard = standardFields.safeParse(fields);
  const own = schema?.safeParse(fields) ?? { success: true as const, data: {} };
  const odd = unwritable(fields, `row ${row}`);
  const problems = [
    ...(odd === null ? [] : [odd]),
    ...(standard.success
      ? []
      : standard.error.issues.flatMap(meant).map((issue) => asProblem(issue, row))),
    ...(own.success ? [] : own.error.issues.map((issue) => asProblem(issue, row))),
    ...unknownFields(fields, schema, row),
    ...collisions(fields, row),
  ];
  if (problems.length > 0) return { problems };
  const output = own.success && typeof own.data === 'object' ? own.data : {};
  return { row: fields, task: { ...standard.data, ...output } };
}

function asProblem(issue: z.core.$ZodIssue, row: number): Problem {
  const path = issue.path.map(String).join('.');
  return { path: path === '' ? `row ${row}` : `row ${row}.${path}`, message: issue.message };
}

/** Fields that neither the standard nor the author names; a loose schema, or one that is no plain object, takes any. */
function unknownFields(
  fields: Readonly<Record<string, unknown>>,
  schema: z.ZodType | undefined,
  row: number,
): Problem[] {
  const own = ownNames(schema);
  if (own === null) return [];
  const known = [...standardNames, ...own];
  return Object.keys(fields)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const close = nearest(name, known);
      return {
        path: `row ${row}.${name}`,
        message: 'unknown field',
        ...(close === null ? {} : { nearest: close }),
      };
    });
}

/** What the record calls standard fields: an own field of that name could not be told from them. */
const recordNames: Readonly<Record<string, string>> = {
  system_prompt: 'systemPrompt',
  timeout: 'timeouts',
  network_allow: 'network',
};

function collisions(fields: Readonly<Record<string, unknown>>, row: number): Problem[] {
  return Object.keys(fields).flatMap((name) => {
    const standard = Object.hasOwn(recordNames, name) ? recordNames[name] : undefined;
    if (standard === undefined) return [];
    const problem = `the trace record calls ${standard} so; give the field another name`;
    return [{ path: `row ${row}.${name}`, message: problem, nearest: standard }];
  });
}

function ownNames(schema: z.ZodType | undefined): readonly string[] | null {
  if (schema === undefined) return [];
  if (!(schema instanceof z.ZodObject)) return null;
  const { catchall } = schema.def;
  const isLoose = catchall !== undefined && !(catchall instanceof z.ZodNever);
  return isLoose ? null : Object.keys(schema.shape);
}
