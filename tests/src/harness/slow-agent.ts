import type { Harness } from '@vf/core';
import subprocess from '@vf/runtime-subprocess';
import { callTool, fail, say, shellCall } from '@vf/testkit';
import type { ScriptedModel, ScriptedRequest, ScriptFunction } from '@vf/testkit';
import { describeHarness, startLookupServer } from '@vf/testkit/conformance';
import type { HarnessSuiteOptions } from '@vf/testkit/conformance';
import { expect, test } from 'vitest';
import { bearer, scenes, signal, systemText, toolResults } from './rig.ts';
import type { Scene } from './rig.ts';

export const limit = { timeout: 240_000 };

/** What the model was told, all of it. */
function told(model: ScriptedModel): string {
  return model.turns.map(({ call }) => JSON.stringify(call?.body)).join('\n');
}

/**
 * The contract in two scenes, for an agent that takes seconds to start. With VF_ALL_AGENTS set the whole conformance
 * suite is played.
 */
export function describeSlowAgent(
  harness: Harness,
  options: Omit<HarnessSuiteOptions, 'runtime'> = {},
): void {
  if (process.env['VF_ALL_AGENTS'] !== undefined) {
    const timeoutMs = limit.timeout;
    describeHarness(() => harness, { runtime: () => subprocess, timeoutMs, ...options });
    return;
  }
  const { manner = (script) => script } = options;
  const openPlain = scenes(harness);
  const open = (script: ScriptFunction, ...rest: Rest): Promise<Scene> =>
    openPlain(manner(script), ...rest);
  const can = harness.spec.capabilities;

  test('edits a file with all that the task gives, and goes on', limit, async () => {
    await using server = await startLookupServer();
    const mcp = [{ name: 'task', url: server.url, bearer: server.bearer }];
    const { session, model, box } = await open(work, options.config, async (at) => {
      const path = `${at.home}/vf-skills/lamp`;
      await at.write(`${path}/SKILL.md`, skill);
      await at.write('sky.txt', 'red\n');
      const skills = can.skills === true ? [{ name: 'lamp', path }] : [];
      return { systemPrompt: 'Answer like a heron.', mcp: can.mcp === true ? mcp : [], skills };
    });
    const first = await session.turn('Turn red into blue.', signal);
    expect(first.status, first.detail).toBe('completed');
    expect(Buffer.from(await box.read('sky.txt')).toString()).toBe('blue\n');
    expect(toolResults(model)).toContain('x:');
    expect(toolResults(model)).not.toContain(process.env['HOME'] ?? '/root');
    expect(systemText(model)).toContain('Answer like a heron.');
    expect(server.words).toEqual(can.mcp === true ? ['heron'] : []);
    expect(told(model).includes('How to light a lighthouse')).toBe(can.skills === true);

    if (can.resume !== true) return;
    const before = model.turns.length;
    const second = await session.turn('And now?', signal);
    expect(second.status, second.detail).toBe('completed');
    const later = model.turns.slice(before).map(({ call }) => JSON.stringify(call?.body));
    expect(later.join('\n')).toContain('Turn red into blue.');
    expect(later.join('\n')).toContain('And now?');
  });

  test('asks once for a refusal, says so, and puts its bearer nowhere', limit, async () => {
    const { session, model, box } = await open(() => fail(400, { message: 'it is over' }));
    const length = options.longestPrompt ?? 200_000;
    const refused = await session.turn('a long line of text\n'.repeat(length / 20), signal);
    expect(refused).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('it is over') as string,
    });
    expect(model.turns).toHaveLength(options.callsPerRefusal ?? 1);
    expect(told(model).length).toBeGreaterThan(length);
    const named = await box.run(['grep', '-rlF', bearer, '.'], { signal });
    expect(named.stdout).toBe('');
  });
}

type Rest =
  Parameters<ReturnType<typeof scenes>> extends [unknown, ...infer Others] ? Others : never;

const skill = '---\nname: lamp\ndescription: How to light a lighthouse\n---\nTurn the key.\n';

/** The shell, then the task's tool where there is one, then a closing word. */
const work: ScriptFunction = ({ tools, messages }) => {
  const done = messages.filter(({ role }) => role === 'tool').length;
  if (done === 0) {
    const command = 'sed s/red/blue/ sky.txt > new && mv new sky.txt; echo "x:$HOME"';
    return shellCall(tools, command) ?? say('No shell.');
  }
  return (done === 1 ? lookUp(tools) : null) ?? say('Done.');
};

function lookUp(tools: ScriptedRequest['tools']): ReturnType<typeof callTool> | null {
  const tool = tools.find(({ name }) => /(^|_)lookup$/.test(name));
  return tool === undefined ? null : callTool(tool.name, { word: 'heron' });
}
