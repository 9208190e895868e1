import { basename, resolve } from 'node:path';
import { harborTaskset } from '@vf/taskset-harbor';
import { fitting, startScriptedModel } from '@vf/testkit';
import type { ScriptFunction } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { agents } from '../docker/agents.ts';
import type { Agent } from '../docker/agents.ts';
import { containersLeft, noEngine } from '../docker/engine.ts';
import { play } from '../run/play.ts';
import { askVault, orderLamp } from './ask-servers.ts';
import { solveSteps } from './solve-steps.ts';

const root = resolve(import.meta.dirname, '../../..');
const shipped = resolve(root, 'plugins/taskset/harbor/fixtures');
const more = resolve(root, 'tests/fixtures/harbor');

interface Task {
  readonly folder: string;
  /** What the reference solution gets. */
  readonly reward: number;
  /** What an agent must take to play it, and how a refusal names that. */
  readonly needs?: { readonly what: 'MCP' | 'skills'; readonly refusal: string };
  /** How it is solved; default: as the reference solution does. */
  readonly script?: ScriptFunction;
}

const vault = { what: 'MCP', refusal: 'brings an MCP server over stdio' } as const;
const shop = { what: 'MCP', refusal: 'brings an MCP server over streamable-http' } as const;
const skills = { what: 'skills', refusal: 'brings skills' } as const;

const tasks: readonly Task[] = [
  { folder: `${shipped}/hello-file`, reward: 1 },
  { folder: `${more}/separate-verifier`, reward: 1 },
  { folder: `${more}/mcp-tool`, reward: 1, needs: vault, script: askVault },
  { folder: `${more}/sidecar`, reward: 1, needs: shop, script: orderLamp },
  { folder: `${more}/final-step`, reward: 0.75 },
  { folder: `${more}/users-and-skills`, reward: 1, needs: skills },
  { folder: `${shipped}/json-reward`, reward: 1 },
  { folder: `${more}/network-phases`, reward: 1 },
  { folder: `${shipped}/two-steps`, reward: 1 },
];

/** Asks no model: the reference solution itself. */
const oracle: Agent = { id: 'oracle', smallest: [] };

interface Cell {
  readonly agent: Agent;
  readonly task: Task;
  /** For the test's name. */
  readonly name: string;
}

/**
 * Every task with every agent; without `VF_ALL_AGENTS` each agent once, so that each task comes up, and one that is
 * refused. The oracle plays them all in a test of its own.
 */
function matrix(): readonly Cell[] {
  const all = process.env['VF_ALL_AGENTS'] !== undefined;
  return [...agents, ...(all ? [oracle] : [])].flatMap((agent, index) => {
    const refused = tasks.find((task) => agent.id === 'bash' && task.needs === vault);
    const chosen = all ? tasks : [tasks[index % tasks.length], refused];
    return chosen.flatMap((task) =>
      task === undefined ? [] : [{ agent, task, name: `${agent.id}, ${basename(task.folder)}` }],
    );
  });
}

const isRefused = ({ agent: { lacks = [] }, task: { needs } }: Cell): boolean =>
  needs !== undefined && lacks.includes(needs.what);

/** Plays the task with the agent and a model that does what the solution does. */
async function trial({ agent, task }: Cell) {
  const { folder } = task;
  const { id, config } = agent;
  const script = fitting(task.script ?? solveSteps(folder));
  await using model = await startScriptedModel({ script });
  const { trace } = await play({
    taskset: harborTaskset({ path: folder }),
    model,
    config: { 'harness.id': id, ...config, 'runtime.id': 'docker' },
  });
  expect(await containersLeft()).toEqual([]);
  return trace(basename(folder));
}

describe.skipIf(noEngine)('Harbor tasks and agents', { timeout: 300_000 }, () => {
  const cells = matrix();

  test.each(cells.filter((cell) => !isRefused(cell)))('$name: solved', async (cell) => {
    const { errors, reward } = await trial(cell);
    expect({ errors, reward }).toEqual({ errors: [], reward: cell.task.reward });
  });

  test.each(cells.filter(isRefused))('$name: refused before the run', async (cell) => {
    const refusal = expect.stringContaining(cell.task.needs?.refusal ?? 'none');
    await expect(trial(cell)).rejects.toMatchObject({
      code: 'misfit/plan',
      problems: expect.arrayContaining([expect.objectContaining({ message: refusal })]),
    });
  });
});
