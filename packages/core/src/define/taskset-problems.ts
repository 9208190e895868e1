import { z } from 'zod';
import type { Intercept, Reward } from '../contract/hook.ts';
import type { AnyTasksetSpec, AnyTool } from '../contract/taskset.ts';
import type { RawTool } from '../contract/tool.ts';
import { nearest } from '../errors/nearest.ts';
import type { Problem } from '../errors/vf-error.ts';

/** Names that every field of an object may have; the compiler holds each list complete. */
type Fields<Contract> = Readonly<Record<keyof Contract, true>>;

const tasksetFields: Fields<AnyTasksetSpec> = {
  name: true,
  data: true,
  config: true,
  state: true,
  infinite: true,
  load: true,
  needs: true,
  setup: true,
  finalize: true,
  validate: true,
  tools: true,
  rewards: true,
  groupRewards: true,
  metrics: true,
  judges: true,
  stops: true,
  intercept: true,
  next: true,
};

const toolFields: Fields<AnyTool> = { description: true, input: true, timeoutMs: true, run: true };
const rawToolFields: Fields<RawTool> = {
  description: true,
  inputSchema: true,
  timeoutMs: true,
  run: true,
};
const rewardFields: Fields<Exclude<Reward<any>, Function>> = {
  score: true,
  weight: true,
  priority: true,
};
const interceptFields: Fields<Intercept<any>> = { request: true, response: true };
const needsFields: Fields<NonNullable<AnyTasksetSpec['needs']>> = {
  tools: true,
  container: true,
  network: true,
  resume: true,
  boxToScore: true,
};

/** What tools are given as elsewhere: the field that is meant. */
const elsewhere: Readonly<Record<string, keyof AnyTool>> = {
  parameters: 'input',
  inputSchema: 'input',
  input_schema: 'input',
  schema: 'input',
  execute: 'run',
  handler: 'run',
  call: 'run',
  func: 'run',
};

/**
 * What is wrong with a taskset before any row is loaded: fields that nobody would ever look at, and hooks and tools that
 * could not be called. TypeScript sees all of it, but does not run on a file that is just executed.
 * @param taskset its name in the messages
 */
export function tasksetProblems(spec: AnyTasksetSpec, taskset: string): Problem[] {
  const of = `taskset ${taskset}`;
  return [
    ...unknownFields(spec, tasksetFields, of, ''),
    ...(typeof spec.load === 'function'
      ? []
      : [{ path: 'load', message: `${of} needs load: a function that gives its rows` }]),
    ...[spec.setup, spec.finalize, spec.validate, spec.next, spec.state].flatMap((hook, i) => {
      const path = ['setup', 'finalize', 'validate', 'next', 'state'][i] ?? '';
      return hook === undefined ? [] : notFunction(hook, path, of);
    }),
    ...entriesOf(spec.tools).flatMap(([name, tool]) => toolProblems(tool, `tools.${name}`, of)),
    ...entriesOf(spec.rewards).flatMap(([name, reward]) =>
      rewardProblems(reward, `rewards.${name}`, of),
    ),
    ...(['groupRewards', 'metrics', 'stops'] as const).flatMap((table) =>
      entriesOf(spec[table]).flatMap(([name, hook]) => notFunction(hook, `${table}.${name}`, of)),
    ),
    ...unknownFields(spec.intercept ?? {}, interceptFields, of, 'intercept.'),
    ...unknownFields(spec.needs ?? {}, needsFields, of, 'needs.'),
  ];
}

/** The same of tools that `setup` gives, whose schemas are JSON Schema. */
export function rawToolProblems(tools: Readonly<Record<string, unknown>>): Problem[] {
  return Object.entries(tools).flatMap(([name, tool]) => {
    const path = `tools.${name}`;
    if (!isObject(tool)) return [{ path, message: `${path} of setup is no tool` }];
    return [
      ...unknownFields(tool, rawToolFields, 'setup', `${path}.`),
      ...(isObject(tool['inputSchema'])
        ? []
        : [{ path: `${path}.inputSchema`, message: `${path} of setup needs a JSON Schema` }]),
      ...notFunction(tool['run'], `${path}.run`, 'setup'),
    ];
  });
}

function toolProblems(tool: unknown, path: string, of: string): Problem[] {
  const shape = '{ description: "…", input: z.object({ … }), run: (input, ctx) => … }';
  if (!isObject(tool)) return [{ path, message: `${of} has a tool that is none`, fix: shape }];
  const { description, input, run } = tool;
  return [
    ...unknownFields(tool, toolFields, of, `${path}.`, elsewhere),
    ...(typeof description === 'string'
      ? []
      : [{ path: `${path}.description`, message: `${of} needs a text that says what it does` }]),
    ...inputProblems(input, `${path}.input`, of),
    ...notFunction(run, `${path}.run`, of),
  ];
}

function inputProblems(input: unknown, path: string, of: string): Problem[] {
  const fix = 'input: z.object({ word: z.string() }), with the z of @vf/core';
  if (!isSchema(input)) return [{ path, message: `${of} needs a schema of zod 4`, fix }];
  try {
    const { type = 'object' } = z.toJSONSchema(input, { io: 'input' });
    if (type === 'object') return [];
    return [{ path, message: `${of} takes a ${String(type)}; arguments are an object`, fix }];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [{ path, message: `${of} has a schema that JSON Schema cannot express: ${why}` }];
  }
}

function rewardProblems(reward: unknown, path: string, of: string): Problem[] {
  if (!isObject(reward)) return notFunction(reward, path, of);
  return [
    ...unknownFields(reward, rewardFields, of, `${path}.`),
    ...notFunction(reward['score'], `${path}.score`, of),
  ];
}

function unknownFields(
  value: object,
  fields: Readonly<Record<string, true>>,
  of: string,
  prefix: string,
  aliases: Readonly<Record<string, string>> = {},
): Problem[] {
  const known = Object.keys(fields);
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name): Problem => {
      const close = nearest(name, known) ?? aliases[name] ?? null;
      return {
        path: `${prefix}${name}`,
        message: `${of} has a field that vf does not know`,
        ...(close === null ? { fix: `known: ${known.join(', ')}` } : { nearest: close }),
      };
    });
}

function notFunction(value: unknown, path: string, of: string): Problem[] {
  return typeof value === 'function' ? [] : [{ path, message: `${of} needs a function here` }];
}

function entriesOf(table: unknown): [string, unknown][] {
  return isObject(table) ? Object.entries(table) : [];
}

function isSchema(value: unknown): value is z.ZodType {
  return isObject(value) && '_zod' in value && typeof value['safeParse'] === 'function';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
