import { homedir } from 'node:os';
import type { HostTool } from '@vf/core';
import { textOf } from '@vf/core/trace';
import { describe, expect, test } from 'vitest';
import { callTool, say, solveWithShell } from '../../scripted-model/index.ts';
import type { Script, ScriptedModel } from '../../scripted-model/index.ts';
import { callsOf } from './asking.ts';
import { startLookupServer } from './mcp-server.ts';
import type { Stage } from './stage.ts';

/** What the agent does: its shell, the task's tools. */
export function actingTests(at: Stage): void {
  describe('acting', () => {
    if (at.options.shell !== false) {
      test('works in the workdir and tells the model what came of it', async () => {
        const { session, model, box } = await at.open(
          solveWithShell('sed s/red/blue/ colours.txt > new.txt && cat new.txt'),
        );
        await box.write('colours.txt', 'red sky\n');
        const segment = await session.turn('Replace red by blue.', at.signal);
        expect(segment.status, segment.detail).toBe('completed');
        expect(Buffer.from(await box.read('new.txt')).toString()).toBe('blue sky\n');
        expect(toolResults(model)).toContain('blue sky');
      });

      test('gives its programs the environment of the run, and no home of the host', async () => {
        const { session, model, ctx } = await at.open(
          // No angle brackets: some agents tell results as JSON that escapes them.
          solveWithShell('echo "[$VF_ROLLOUT_ID][$HOME]"'),
        );
        await session.turn('Look around.', at.signal);
        expect(toolResults(model)).toContain(`[${ctx.rolloutId}]`);
        expect(toolResults(model)).not.toContain(`[${homedir()}]`);
      });
    }

    test('tells the model of its skills when it declares so', async () => {
      const skill = '---\nname: lamp\ndescription: How to light a lighthouse\n---\nTurn the key.\n';
      const { session, model } = await at.open(
        () => say('Lit.'),
        async (box) => {
          const path = `${box.home}/vf-skills/lamp`;
          await box.write(`${path}/SKILL.md`, skill);
          return { skills: [{ name: 'lamp', path }] };
        },
      );
      await session.turn('Light it.', at.signal);
      const told = callsOf(model).some((call) =>
        JSON.stringify(call.body).includes('light a lighthouse'),
      );
      expect(told).toBe(at.harness.spec.capabilities.skills === true);
    });

    test('calls the functions of the task when it declares host tools', async () => {
      const asked: string[] = [];
      const { session, model } = await at.open(lookUp, { tools: [lookupTool(asked)] });
      await session.turn('What is a heron?', at.signal);
      const declared = at.harness.spec.capabilities.hostTools === true;
      expect(asked.map((json) => JSON.parse(json) as unknown)).toEqual(
        declared ? [{ word: 'heron' }] : [],
      );
      expect(toolResults(model).includes('meaning of heron')).toBe(declared);
    });

    test('calls the tools of the task over MCP when it declares so', async () => {
      const server = await startLookupServer();
      try {
        const { session, model } = await at.open(lookUp, async (box) => {
          const url = await box.reach(server.url, at.signal);
          return { mcp: [{ name: 'task', url, bearer: server.bearer }] };
        });
        await session.turn('What is a heron?', at.signal);
        const declared = at.harness.spec.capabilities.mcp === true;
        expect(server.words).toEqual(declared ? ['heron'] : []);
        expect(toolResults(model).includes('meaning of heron')).toBe(declared);
      } finally {
        server.close();
      }
    });
  });
}

/** Looks a word up with the tool of that name, whatever the agent puts before it. */
const lookUp: Script = ({ messages, tools }) => {
  if (messages.some((message) => message.role === 'tool')) return say('A bird.');
  const tool = tools.find(({ name }) => /(^|_)lookup$/.test(name));
  if (tool === undefined) return say('There is no such tool.');
  const namespace = tool.namespace === undefined ? {} : { namespace: tool.namespace };
  return callTool(tool.name, { word: 'heron' }, namespace);
};

function lookupTool(asked: string[]): HostTool {
  const parameters = {
    type: 'object',
    properties: { word: { type: 'string' } },
    required: ['word'],
  };
  return {
    spec: { name: 'lookup', description: 'Looks a word up', parameters },
    async call(argumentsJson) {
      asked.push(argumentsJson);
      return { content: 'meaning of heron' };
    },
  };
}

/** What the model was told after a reply of its own. */
function toolResults(model: ScriptedModel): string {
  return callsOf(model)
    .flatMap(({ messages }) => {
      const first = messages.findIndex(({ role }) => role === 'assistant');
      return first < 0 ? [] : messages.slice(first);
    })
    .filter(({ role }) => role === 'tool' || role === 'user')
    .map(({ content }) => textOf(content))
    .join('\n');
}
