import { basename, resolve } from 'node:path';
import { harborTaskset } from '@vf/taskset-harbor';
import { startScriptedModel } from '@vf/testkit';
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
  /** The MCP server without which it cannot be solved, as a refusal names it, and how its tools solve it. */
  readonly server?: { readonly name: string; readonly script: ScriptFunction };
}

const tasks: readonly Task[] = [
  { folder: `${shipped}/hello-file`, reward: 1 },
  { folder: `${more}/separate-verifier`, reward: 1 },
  {
    folder: `${more}/mcp-tool`,
    reward: 1,
    server: { name: 'vault over stdio', script: askVault },
  },
  {
    folder: `${more}/sidecar`,
    reward: 1,
    server: { name: 'shop over streamable-http', script: orderLamp },
  },
  { folder: `${more}/final-step`, reward: 0.75 },
  { folder: `${more}/users-and-skills`, reward: 1 },
  { folder: `${shipped}/json-reward`, reward: 1 },
  { folder: `${more}/network-phases`, reward: 1 },
  { folder: `${shipped}/two-steps`, reward: 1 },
];

interface Cell {
  readonly agent: Agent;
  readonly task: Task;
  /** For the test's name. */
  readonly name: string;
}

/** Every task with every agent; without `VF_ALL_AGENTS` each agent once, so that each task comes up. */
function matrix(): readonly Cell[] {
  const all = process.env['VF_ALL_AGENTS'] !== undefined;
  return agents.flatMap((agent, index) => {
    const chosen = all ? tasks : [tasks[index % tasks.length]];
    return chosen.flatMap((task) =>
      task === undefined ? [] : [{ agent, task, name: `${agent.id}, ${basename(task.folder)}` }],
    );
  });
}

const isRefused = ({ agent, task }: Cell): boolean =>
  task.server !== undefined && agent.mcp === false;

/** Plays the task with the agent and a model that does what the solution does. */
async function trial({ agent, task: { folder, server } }: Cell) {
  const { id, config, manner = (script) => script } = agent;
  const script = manner(server?.script ?? solveSteps(folder));
  await using model = await startScriptedModel({ script });
  const { trace } = await play({
    taskset: harborTaskset({ path: folder }),
    model,
    config: { 'harness.id': id, ...config, 'runtime.id': 'docker' },
  });
  expect(await containersLeft()).toEqual([]);
  return { trace: trace(basename(folder)), requests: model.requests };
}

describe.skipIf(noEngine)('Harbor tasks and agents', { timeout: 300_000 }, () => {
  const cells = matrix();

  test.each(cells.filter((cell) => !isRefused(cell)))('$name: solved', async (cell) => {
    const { errors, reward } = (await trial(cell)).trace;
    expect({ errors, reward }).toEqual({ errors: [], reward: cell.task.reward });
  });

  test.each(cells.filter(isRefused))('$name: refused, with the server named', async (cell) => {
    const { trace, requests } = await trial(cell);
    expect(trace.errors).toMatchObject([
      { type: 'misfit/plan', message: expect.stringContaining(cell.task.server?.name ?? '') },
    ]);
    expect(requests).toEqual([]);
  });
});
