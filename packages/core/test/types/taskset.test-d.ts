import { expectTypeOf } from 'vitest';
import { defineTaskset, tool, z } from '../../src/index.ts';
import type {
  GroupHook,
  Hook,
  Message,
  RuntimeApi,
  ScoreHook,
  Taskset,
  Trace,
} from '../../src/index.ts';

/** The example of the design, unchanged. */
export const sums = defineTaskset({
  config: z.object({ count: z.number().int().positive().default(100) }),
  data: z.object({ answer: z.number().int() }),
  *load({ config }) {
    for (let i = 0; i < config.count; i++) yield { prompt: `What is ${i} + ${i}?`, answer: 2 * i };
  },
  rewards: {
    exactMatch: ({ task, trace }) => Number(trace.lastReply === String(task.answer)),
  },
});
expectTypeOf<typeof sums>().toEqualTypeOf<
  Taskset<{ answer: number }, { answer: number }, { count: number }>
>();

/** Everything is typed by inference, in the order of the contract. */
export const inOrder = defineTaskset({
  data: z.object({ answer: z.number(), level: z.enum(['easy', 'hard']) }),
  config: z.object({ n: z.number().default(3), tag: z.string().optional() }),
  state: () => ({ opened: 0, seen: [] as string[] }),
  load({ config, signal }) {
    expectTypeOf<typeof config>().toEqualTypeOf<{ n: number; tag?: string | undefined }>();
    expectTypeOf<typeof signal>().toEqualTypeOf<AbortSignal>();
    return [{ prompt: 'p', answer: config.n, level: 'easy' }];
  },
  setup: ({ task, config, state, runtime }) => {
    expectTypeOf<typeof task.answer>().toEqualTypeOf<number>();
    expectTypeOf<typeof task.level>().toEqualTypeOf<'easy' | 'hard'>();
    expectTypeOf<typeof task.key>().toEqualTypeOf<string>();
    expectTypeOf<typeof config.n>().toEqualTypeOf<number>();
    expectTypeOf<typeof state>().toEqualTypeOf<{ opened: number; seen: string[] }>();
    expectTypeOf<typeof runtime>().toEqualTypeOf<RuntimeApi>();
    state.opened++;
    return { prompt: 'told after the reset' };
  },
  tools: {
    look: {
      description: 'Looks something up',
      input: z.object({ word: z.string() }),
      run: (input, { state, task }) => {
        expectTypeOf<typeof input>().toEqualTypeOf<{ word: string }>();
        expectTypeOf<typeof task.answer>().toEqualTypeOf<number>();
        state.seen.push(input.word);
        return state.opened;
      },
    },
    add: {
      description: 'Adds',
      input: z.object({ a: z.number(), b: z.number() }),
      run: ({ a, b }) => a + b,
    },
  },
  rewards: {
    plain: ({ task, trace, state, config }) => {
      expectTypeOf<typeof trace>().toEqualTypeOf<Trace>();
      expectTypeOf<typeof state.opened>().toEqualTypeOf<number>();
      return task.answer === config.n ? 1 : null;
    },
    weighted: {
      score: async ({ task, state }) => task.answer + state.opened,
      weight: 0.5,
      priority: 1,
    },
  },
  groupRewards: {
    best: ({ traces, task, config }) => traces.map(() => task.answer + config.n),
  },
  metrics: { opened: ({ state }) => state.opened },
  stops: { enough: ({ state }) => state.opened > 3 },
  next: ({ state, task }) =>
    state.opened > 1 ? null : { prompt: String(task.answer), session: 'resume' },
  intercept: {
    request: (message, { state }) => {
      state.opened++;
      return message.role === 'user' ? { role: 'user', content: 'x' } : undefined;
    },
  },
});

/** The same with every property in reversed order, `run` before `input`. */
export const reversed = defineTaskset({
  next: ({ state, task }) =>
    state.opened > 1 ? null : { prompt: String(task.answer), session: 'resume' },
  metrics: { opened: ({ state }) => state.opened },
  groupRewards: {
    best: ({ traces, task, config }) => traces.map(() => task.answer + config.n),
  },
  rewards: {
    weighted: { weight: 0.5, score: ({ task, state }) => task.answer + state.opened },
    plain: ({ task, state, config }) => {
      expectTypeOf<typeof state>().toEqualTypeOf<{ opened: number }>();
      return task.answer === config.n ? 1 : 0;
    },
  },
  tools: {
    look: {
      run: (input, { state, task }) => {
        expectTypeOf<typeof input>().toEqualTypeOf<{ word: string }>();
        expectTypeOf<typeof task.answer>().toEqualTypeOf<number>();
        return state.opened + input.word.length;
      },
      input: z.object({ word: z.string() }),
      description: 'Looks something up',
    },
  },
  setup: ({ task, state }) => {
    state.opened = task.answer;
  },
  load({ config }) {
    expectTypeOf<typeof config>().toEqualTypeOf<{ n: number }>();
    return [{ answer: config.n }];
  },
  state: () => ({ opened: 0 }),
  config: z.object({ n: z.number() }),
  data: z.object({ answer: z.number() }),
});

/** `load` is a list, a promise of one, a generator or an async generator. */
export const promised = defineTaskset({
  data: z.object({ answer: z.number() }),
  load: async () => [{ answer: 1 }],
});
export const streamed = defineTaskset({
  data: z.object({ answer: z.number() }),
  async *load() {
    yield { answer: 1, systemPrompt: 's', timeouts: { agent: 1000 } };
  },
});

/** A transform: the row holds a string, the hook sees a Date. */
export const dated = defineTaskset({
  data: z.object({ due: z.string().transform((text) => new Date(text)) }),
  load: () => [{ due: '2026-11-30' }],
  rewards: { late: ({ task }) => Number(task.due.getTime() > 0) },
});
export const coerced = defineTaskset({
  data: z.object({ due: z.coerce.date() }),
  load: () => [{ due: '2026-11-30' }, { due: 0 }],
  rewards: {
    late: ({ task }) => {
      expectTypeOf<typeof task.due>().toEqualTypeOf<Date>();
      return 1;
    },
  },
});

/** Rows of a union narrow. */
export const union = defineTaskset({
  data: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('sum'), answer: z.number() }),
    z.object({ kind: z.literal('word'), word: z.string() }),
  ]),
  *load() {
    yield { kind: 'sum', answer: 1, prompt: 'p' };
    yield { kind: 'word', word: 'w' };
  },
  rewards: {
    right: ({ task }) => (task.kind === 'sum' ? task.answer : task.word.length),
  },
});
export const badUnion = defineTaskset({
  data: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('sum'), answer: z.number() }),
    z.object({ kind: z.literal('word'), word: z.string() }),
  ]),
  // @ts-expect-error: a sum has no word
  load: () => [{ kind: 'sum', word: 'w' }],
});

/** Literals of a row stay literals, nested ones too, whatever the order and shape of `load`. */
export const literals = defineTaskset({
  *load() {
    yield { level: 'easy', size: 1, tags: ['a'], nested: { on: true }, prompt: 'p' };
  },
  data: z.object({
    level: z.enum(['easy', 'hard']),
    size: z.union([z.literal(1), z.literal(2)]),
    tags: z.array(z.enum(['a', 'b'])),
    nested: z.object({ on: z.literal(true) }),
  }),
});
export const promisedLiterals = defineTaskset({
  data: z.object({ level: z.enum(['easy', 'hard']) }),
  load: async () => [{ level: 'easy' }],
});
export const streamedLiterals = defineTaskset({
  data: z.object({ level: z.enum(['easy', 'hard']) }),
  async *load() {
    // TypeScript gives the rows of an async generator no context to narrow them by.
    yield { level: 'easy' as const };
  },
});
export const wrongLiteral = defineTaskset({
  data: z.object({ level: z.enum(['easy', 'hard']) }),
  // @ts-expect-error: there is no such level
  load: () => [{ level: 'middling' }],
});

/** Neither data nor config; an empty schema. */
export const bare = defineTaskset({
  load: () => [{ prompt: 'p' }, { prompt: [{ role: 'user', content: 'hi' }] }],
  rewards: {
    one: ({ task }) => {
      expectTypeOf<typeof task.prompt>().toEqualTypeOf<string | readonly Message[] | undefined>();
      return 1;
    },
  },
});
export const empty = defineTaskset({
  data: z.object({}),
  load: () => [{ prompt: 'p' }],
  rewards: { one: ({ task }) => Number(task.key === task.prompt) },
});

/** A schema may narrow a standard field, never retype it. */
export const narrowed = defineTaskset({
  data: z.object({ prompt: z.string() }),
  load: () => [{ prompt: 'p' }],
  rewards: {
    one: ({ task }) => {
      expectTypeOf<typeof task.prompt>().toEqualTypeOf<string>();
      return task.prompt.length;
    },
  },
});
export const retyped = defineTaskset({
  // @ts-expect-error: the field "image" is a standard field with another type
  data: z.object({ image: z.number() }),
  load: () => [],
});

/** Rows that do not fit are refused. */
export const wrongType = defineTaskset({
  data: z.object({ answer: z.number() }),
  // @ts-expect-error: the answer is a number
  load: () => [{ answer: 'x' }],
});
export const missing = defineTaskset({
  data: z.object({ answer: z.number() }),
  // @ts-expect-error: a row needs an answer
  load: () => [{ prompt: 'p' }],
});
export const noPrompt = defineTaskset({
  // @ts-expect-error: a prompt is text or messages
  load: () => [{ prompt: 5 }],
});
export const unknownField = defineTaskset({
  data: z.object({ answer: z.number() }),
  load: () => [{ answer: 1 }],
  rewards: {
    // @ts-expect-error: the task has no such field
    one: ({ task }) => task.anser,
  },
});
export const truth = defineTaskset({
  load: () => [],
  rewards: {
    // @ts-expect-error: a reward is a number or null
    one: () => true,
  },
});
export const wrongState = defineTaskset({
  state: () => ({ opened: 0 }),
  load: () => [],
  rewards: {
    // @ts-expect-error: the state has no such field
    one: ({ state }) => state.closed,
  },
});

/** A tool of its own module goes where the state has what it needs, and nowhere else. */
const counting = tool({
  description: 'Counts',
  input: z.object({ by: z.number() }),
  run: ({ by }, { state }: Hook<{}, {}, { count: number }>) => (state.count += by),
});
export const shared = defineTaskset({
  data: z.object({ answer: z.number() }),
  state: () => ({ count: 0, more: '' }),
  load: () => [{ answer: 1 }],
  tools: { counting },
});
export const withoutCount = defineTaskset({
  state: () => ({ more: '' }),
  load: () => [],
  // @ts-expect-error: the tool needs a count
  tools: { counting },
});

/** Hooks may stand out of line. */
const rowSchema = z.object({ answer: z.number() });
const outOfLine = ({ task, trace }: ScoreHook<z.infer<typeof rowSchema>, {}, {}>) =>
  Number(trace.lastReply === String(task.answer));
const whole = ({ traces }: GroupHook<z.infer<typeof rowSchema>, {}>) => traces.map(() => null);
export const withHooks = defineTaskset({
  data: rowSchema,
  load: () => [{ answer: 1 }],
  rewards: { outOfLine },
  groupRewards: { whole },
});
