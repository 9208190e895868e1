import { textOf } from '@vf/core/trace';
import { describe, expect, test } from 'vitest';
import { byTurn, say } from '../../scripted-model/index.ts';
import type { RecordedRequest, ScriptedModel } from '../../scripted-model/index.ts';
import type { Stage } from './stage.ts';

/** How the agent asks its model: endpoint, bearer, name, prompts. */
export function askingTests(at: Stage): void {
  describe('asking the model', () => {
    test('goes through the endpoint with the bearer, the model and the prompt', async () => {
      const { session, model, ctx } = await at.open(() => say('It is done.'));
      const segment = await session.turn('Say when it is done.', at.signal);
      expect(segment.status, segment.detail).toBe('completed');
      expect(model.turns.length).toBeGreaterThan(0);
      const calls = callsOf(model);
      expect(calls.map((call) => call.model)).toEqual(calls.map(() => ctx.model));
      expect(promptTexts(model)).toContain('Say when it is done.');
    });

    test('takes a long prompt whole', async () => {
      const { session, model } = await at.open(() => say('Read.'));
      const prompt = longPrompt(at.options.longestPrompt ?? 200_000);
      const segment = await session.turn(prompt, at.signal);
      expect(segment.status, segment.detail).toBe('completed');
      expect(promptTexts(model)).toContain(prompt);
    });

    test('gives the system prompt as it declares', async () => {
      const declared = at.harness.spec.capabilities.systemPrompt;
      const { session, model } = await at.open(() => say('Yes.'), {
        systemPrompt: declared === undefined ? null : 'Answer like a lighthouse keeper.',
      });
      await session.turn('Are you there?', at.signal);
      const roles = callsOf(model).flatMap((call) =>
        call.messages
          .filter((message) => textOf(message.content).includes('lighthouse keeper'))
          .map((message) => message.role),
      );
      const expected = { separate: 'system', append: 'system', prompt: 'user' } as const;
      expect(roles[0]).toBe(declared === undefined ? undefined : expected[declared]);
    });

    test('goes on in the same conversation when it declares so', async () => {
      const replies = byTurn([say('The word is heron.'), say('I said heron.')]);
      const { session, model } = await at.open(replies);
      await session.turn('Name a bird.', at.signal);
      const before = model.turns.length;
      const second = await session.turn('Which one was it?', at.signal);
      expect(second.status, second.detail).toBe('completed');
      const said = texts(model.turns.slice(before)).join('\n');
      expect(said).toContain('Which one was it?');
      expect(said.includes('The word is heron.')).toBe(
        at.harness.spec.capabilities.resume === true,
      );
    });

    test('takes a list of messages when it declares so', async () => {
      const { session, model } = await at.open(() => say('Yes.'));
      const prompt = at.harness.spec.capabilities.messages
        ? ([
            { role: 'user', content: 'A first question.' },
            { role: 'assistant', content: 'A first answer.' },
            { role: 'user', content: 'A second question.' },
          ] as const)
        : 'A second question.';
      await session.turn(prompt, at.signal);
      const said = texts(model.turns);
      const wanted = typeof prompt === 'string' ? [prompt] : prompt.map(({ content }) => content);
      for (const text of wanted) expect(said.join('\n')).toContain(text);
    });
  });
}

function longPrompt(length: number): string {
  const line = 'a long line of text\n';
  return `begin ${line.repeat(length / line.length)}`.slice(0, length - 6) + ' end é';
}

/** What the model was asked. */
export function callsOf(model: ScriptedModel): NonNullable<RecordedRequest['call']>[] {
  return model.turns.flatMap((turn) => turn.call ?? []);
}

function texts(turns: readonly RecordedRequest[]): string[] {
  return turns.flatMap(
    (turn) => turn.call?.messages.map((message) => textOf(message.content)) ?? [],
  );
}

function promptTexts(model: ScriptedModel): string {
  return texts(model.turns).join('\n');
}
