import type { AnyTasksetSpec } from '@vf/core';
import type { Problem } from '@vf/core/errors';
import type { RolePlan, TaskInstance } from '@vf/rollout';
import type { PlannedSideModel } from './side-models.ts';
import { wantsImage } from './wants-image.ts';
import { firstFew } from '../first-few.ts';

/** What does not fit together, each with its fix; the whole list at once. */
export function misfits(
  spec: AnyTasksetSpec,
  tasks: readonly TaskInstance[],
  roles: readonly RolePlan[],
): Problem[] {
  return roles.flatMap((role) => [
    ...images(tasks, role),
    ...containers(spec, role),
    ...networks(tasks, role),
    ...users(tasks, role),
    ...services(tasks, role),
    ...(asksModel(role)
      ? [
          ...tools(spec, role),
          ...providerTools(role),
          ...prompts(tasks, role),
          ...systemPrompts(tasks, role),
          ...broughtSkills(tasks, role),
          ...broughtServers(tasks, role),
          ...furtherTurns(spec, role),
          ...costs(role),
        ]
      : references(spec, role)),
  ]);
}

/** One that asks none is told nothing, and need not understand it. */
function asksModel({ harness }: RolePlan): boolean {
  return harness.spec.capabilities.callsModel !== false;
}

function references(spec: AnyTasksetSpec, { harness }: RolePlan): Problem[] {
  if (harness.spec.capabilities.reference !== true || spec.validate !== undefined) return [];
  return [
    {
      message: `harness ${harness.id} performs reference solutions; the taskset has none`,
      fix: 'give it a `validate` hook, or another --harness',
    },
  ];
}

function images(tasks: readonly TaskInstance[], { runtime }: RolePlan): Problem[] {
  const naming = tasks.filter(wantsImage).length;
  if (naming === 0 || runtime.plugin.offers.images) return [];
  return [
    {
      message: `${count(naming, 'task names', 'tasks name')} an image; runtime ${runtime.id} has none`,
      fix: '--runtime docker',
    },
  ];
}

function containers(spec: AnyTasksetSpec, { harness, runtime }: RolePlan): Problem[] {
  const isRequired =
    spec.needs?.container === true || harness.spec.capabilities.container === 'required';
  if (!isRequired || runtime.plugin.offers.images) return [];
  const who = spec.needs?.container === true ? 'the taskset' : `harness ${harness.id}`;
  return [
    { message: `${who} needs a container; runtime ${runtime.id} is none`, fix: '--runtime docker' },
  ];
}

function networks(tasks: readonly TaskInstance[], { runtime }: RolePlan): Problem[] {
  const { policies } = runtime.plugin.offers;
  const wanted = new Map<string, number>();
  for (const { task } of tasks) {
    const mode = task.network?.mode;
    if (mode !== undefined && !policies.includes(mode))
      wanted.set(mode, (wanted.get(mode) ?? 0) + 1);
  }
  return [...wanted].map(([mode, n]) => ({
    message: `${count(n, 'task asks', 'tasks ask')} for the network policy ${mode}; runtime ${runtime.id} cannot enforce it`,
    fix: '--runtime docker',
  }));
}

function users(tasks: readonly TaskInstance[], { runtime }: RolePlan): Problem[] {
  const naming = tasks.filter(({ task }) => task.user !== undefined).length;
  if (naming === 0 || runtime.plugin.offers.users) return [];
  return [
    {
      message: `${count(naming, 'task names', 'tasks name')} a user to work as; runtime ${runtime.id} has none`,
      fix: '--runtime docker',
    },
  ];
}

function services(tasks: readonly TaskInstance[], { runtime }: RolePlan): Problem[] {
  const naming = tasks.filter(({ task }) => task.compose !== undefined).length;
  if (naming === 0 || runtime.plugin.offers.services) return [];
  return [
    {
      message: `${count(naming, 'task has', 'tasks have')} compose services; runtime ${runtime.id} plays none`,
      fix: '--runtime docker',
    },
  ];
}

function tools(spec: AnyTasksetSpec, { harness, client }: RolePlan): Problem[] {
  const hasTools = spec.needs?.tools === true || Object.keys(spec.tools ?? {}).length > 0;
  const { mcp, hostTools } = harness.spec.capabilities;
  if (!hasTools) return [];
  if (mcp === true || hostTools === true)
    return client.noTools === undefined ? [] : [noTools(client.noTools)];
  return [
    {
      message: `the taskset has tools; harness ${harness.id} takes none`,
      fix: '--harness null, or an agent that speaks MCP',
    },
  ];
}

function noTools(why: string): Problem {
  return {
    path: 'client.renderer',
    message: `the taskset has tools, and each call with one would be refused: ${why}`,
    fix: 'a model whose template takes tools, with its client.renderer; or client.engine = "vllm-chat"',
  };
}

function providerTools({ harness, client }: RolePlan): Problem[] {
  const { providerTools: offered } = harness.spec.capabilities;
  const why = client.noProviderTools;
  if (offered === undefined || why === undefined) return [];
  return [
    {
      message: `harness ${harness.id} offers ${offered.what}, and each call with it would be refused: ${why}`,
      fix: offered.off,
    },
  ];
}

function prompts(tasks: readonly TaskInstance[], { harness }: RolePlan): Problem[] {
  const lists = tasks.filter(({ task }) => Array.isArray(task.prompt)).length;
  if (lists === 0 || harness.spec.capabilities.messages === true) return [];
  return [
    {
      message: `${count(lists, 'task has', 'tasks have')} a message list as prompt; harness ${harness.id} takes text`,
      fix: '--harness null',
    },
  ];
}

function systemPrompts(tasks: readonly TaskInstance[], { harness }: RolePlan): Problem[] {
  const naming = tasks.filter(({ task }) => task.systemPrompt !== undefined).length;
  if (naming === 0 || harness.spec.capabilities.systemPrompt !== undefined) return [];
  return [
    {
      message: `${count(naming, 'task has', 'tasks have')} a system prompt; harness ${harness.id} takes none`,
      fix: 'another --harness',
    },
  ];
}

function broughtSkills(tasks: readonly TaskInstance[], { harness }: RolePlan): Problem[] {
  if (harness.spec.capabilities.skills === true) return [];
  const bringing = tasks.filter(({ task }) => task.brings?.skills === true);
  if (bringing.length === 0) return [];
  return [
    {
      message: `${count(bringing.length, 'task brings', 'tasks bring')} skills (${some(bringing)}); harness ${harness.id} takes none`,
      fix: 'another --harness, or without them: select.exclude',
    },
  ];
}

function broughtServers(tasks: readonly TaskInstance[], { harness }: RolePlan): Problem[] {
  const { taskMcp = [] } = harness.spec.capabilities;
  const foreign = new Map<string, TaskInstance[]>();
  for (const task of tasks) {
    for (const transport of new Set(task.task.brings?.mcp ?? []))
      if (!taskMcp.includes(transport))
        foreign.set(transport, [...(foreign.get(transport) ?? []), task]);
  }
  return [...foreign].map(([transport, bringing]) => ({
    message: `${count(bringing.length, 'task brings', 'tasks bring')} an MCP server over ${transport} (${some(bringing)}); harness ${harness.id} takes none`,
    fix: 'another --harness, or without them: select.exclude',
  }));
}

function some(tasks: readonly TaskInstance[]): string {
  return firstFew(
    tasks.map(({ key }) => key),
    5,
  );
}

function furtherTurns(spec: AnyTasksetSpec, { harness }: RolePlan): Problem[] {
  if (spec.next === undefined || spec.needs?.resume === false) return [];
  if (harness.spec.capabilities.resume === true) return [];
  return [
    {
      message: `the taskset asks for further turns; harness ${harness.id} cannot resume`,
      fix: 'another --harness',
    },
  ];
}

function costs({ limits, price, model }: RolePlan): Problem[] {
  if (limits.maxCost === undefined || price !== null) return [];
  return [
    {
      path: 'limits.max_cost',
      message: `${model} has no price, so a cost limit cannot be kept`,
      fix: `[prices."${model}"] input, output`,
    },
  ];
}

/** A simulated user counts for its rollout's cost limit. */
export function unpricedUsers(
  sideModels: readonly PlannedSideModel[],
  roles: readonly RolePlan[],
): Problem[] {
  if (roles.every(({ limits }) => limits.maxCost === undefined)) return [];
  return sideModels
    .filter(({ declared, price }) => declared.kind === 'user' && price === null)
    .map(({ declared, model }) => ({
      path: 'limits.max_cost',
      message: `${model} of user ${declared.name} has no price, so a cost limit cannot be kept`,
      fix: `[prices."${model}"] input, output`,
    }));
}

function count(n: number, one: string, many: string): string {
  return n === 1 ? `1 ${one}` : `${n.toLocaleString('en')} ${many}`;
}
