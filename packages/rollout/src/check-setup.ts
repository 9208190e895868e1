import { rawToolProblems } from '@vf/core';
import type { EffectiveTask, SetupResult } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { RolePlan } from './plan.ts';

/** What a setup hook gave, as the trace can hold it. @throws VfError taskset/setup_failed */
export function checkSetup(result: SetupResult): SetupResult {
  if (typeof result !== 'object') throw wrong('an object or nothing', result);
  const { prompt, systemPrompt, tools = {} } = result;
  if (prompt !== undefined && typeof prompt !== 'string' && !Array.isArray(prompt))
    throw wrong('text or a list of messages as prompt', prompt);
  if (systemPrompt !== undefined && typeof systemPrompt !== 'string')
    throw wrong('text as systemPrompt', systemPrompt);
  const [first, ...others] = rawToolProblems(tools);
  if (first === undefined) return result;
  throw new VfError('taskset/setup_failed', first.message, {
    problems: [first, ...others],
    hint: 'a tool of setup is { description, inputSchema, timeoutMs, run }',
  });
}

/** What setup changed of the task, for the trace; null when it changed nothing. */
export function effectiveTask({ prompt, systemPrompt, tools }: SetupResult): EffectiveTask | null {
  if (prompt === undefined && systemPrompt === undefined && tools === undefined) return null;
  return {
    ...(prompt === undefined ? {} : { prompt }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(tools === undefined
      ? {}
      : {
          tools: Object.entries(tools).map(([name, { description, inputSchema }]) => ({
            name,
            description,
            parameters: { ...inputSchema },
          })),
        }),
  };
}

function wrong(expected: string, value: unknown): VfError {
  return new VfError('taskset/setup_failed', `setup must give ${expected}, not ${typeof value}`, {
    hint: 'mend the setup hook of the taskset',
  });
}

/** @throws VfError misfit/plan for skills and MCP servers of the task that the harness does not take */
export function refuseUntaken(
  { skills = [], mcpServers = [] }: SetupResult,
  { harness: { id, spec } }: Pick<RolePlan, 'harness'>,
): void {
  const { capabilities } = spec;
  if (capabilities.callsModel === false) return;
  if (skills.length > 0 && capabilities.skills !== true)
    throw untaken(`the task brings skills; harness ${id} takes none`);
  const foreign = mcpServers.find(
    ({ transport }) => capabilities.taskMcp?.includes(transport) !== true,
  );
  if (foreign === undefined) return;
  const { name, transport } = foreign;
  throw untaken(
    `the task brings the MCP server ${name} over ${transport}; harness ${id} takes none`,
  );
}

function untaken(message: string): VfError {
  return new VfError('misfit/plan', message, { hint: 'another --harness' });
}
