import { expectTypeOf, test } from 'vitest';
import { capture } from '../../src/index.ts';
import type { CaptureAbout, ModelReply, ModelRequest } from '../../src/index.ts';

declare const about: CaptureAbout;

test('a model of our form keeps what more it takes and gives', () => {
  interface Mine extends ModelReply {
    readonly seed: number;
  }
  const { model } = capture(
    async (_request: ModelRequest): Promise<Mine> => ({
      message: { role: 'assistant', content: '4' },
      seed: 7,
    }),
    about,
  );
  expectTypeOf(model({ messages: [] })).resolves.toEqualTypeOf<Mine>();
});

test('a model of another form is read by functions that know its types', () => {
  const { model } = capture(
    async (text: string, temperature: number) => text.length * temperature,
    about,
    {
      request: (text, temperature) => {
        expectTypeOf(text).toEqualTypeOf<string>();
        return { messages: [{ role: 'user', content: text }], settings: { temperature } };
      },
      reply: (result) => {
        expectTypeOf(result).toEqualTypeOf<number>();
        return { message: { role: 'assistant', content: String(result) } };
      },
    },
  );
  expectTypeOf(model).parameters.toEqualTypeOf<[text: string, temperature: number]>();
});

// Without one, another form is refused.
// @ts-expect-error a text is no request
capture(async (text: string) => text, about);
// @ts-expect-error a task needs its key
capture(async () => ({ message: { role: 'assistant', content: '' } }), { task: { type: 't' } });
