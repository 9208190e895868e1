import { expectTypeOf } from 'vitest';
import { defineEnvironment, defineHarness, z } from '../../src/index.ts';
import type { Agent, Environment, Harness, Rollout } from '../../src/index.ts';

/** `ctx.dialect` is one of those it speaks; what lives between turns is a closure. */
export const agent = defineHarness({
  config: z.object({ version: z.string().default('1.0') }),
  speaks: ['responses', 'chat-completions'],
  capabilities: { mcp: true, systemPrompt: 'append', resume: true },
  version: (config) => config.version,
  install: async ({ config, runtime }) => {
    expectTypeOf<typeof config.version>().toEqualTypeOf<string>();
    await runtime.run(['true']);
  },
  open: async ({ dialect, config, runtime }) => {
    expectTypeOf<typeof dialect>().toEqualTypeOf<'responses' | 'chat-completions'>();
    let thread: string | null = null;
    return {
      turn: async (prompt, signal) => {
        const argv = ['agent', config.version, ...(thread === null ? [] : ['--resume', thread])];
        const stdin = typeof prompt === 'string' ? prompt : '';
        const program = await runtime.run(argv, { signal, stdin });
        thread = program.stdout.trim();
        return { status: program.exitCode === 0 ? 'completed' : 'failed', program };
      },
      close: async () => {},
    };
  },
});
expectTypeOf<typeof agent>().toEqualTypeOf<Harness<{ version: string }>>();

export const byConfig = defineHarness({
  config: z.object({ api: z.enum(['responses', 'messages']) }),
  speaks: (config) => [config.api],
  capabilities: {},
  open: async ({ dialect }) => {
    expectTypeOf<typeof dialect>().toEqualTypeOf<'responses' | 'messages'>();
    return { turn: async () => ({ status: 'completed' }), close: async () => {} };
  },
});

export const wrongStatus = defineHarness({
  speaks: ['messages'],
  capabilities: {},
  // @ts-expect-error: a segment is completed or failed
  open: async () => ({ turn: async () => ({ status: 'done' }), close: async () => {} }),
});

export const wrongDialect = defineHarness({
  speaks: ['messages'],
  capabilities: {},
  open: async ({ dialect }) => {
    // @ts-expect-error: it does not speak that
    if (dialect === 'responses') throw new Error('no');
    return { turn: async () => ({ status: 'completed' }), close: async () => {} };
  },
});

/** Best of n in ten lines. */
export const bestOf = defineEnvironment({
  config: z.object({ n: z.number().int().min(1).default(4) }),
  roles: { solver: {}, judge: { trainable: false, scored: false } },
  async play({ task, agents, config, reward }) {
    const tries = Array.from({ length: config.n }, () => agents.solver.run(task));
    const rollouts = await Promise.all(tries);
    const replies = rollouts.map(({ trace }) => trace.lastReply).join('\n');
    const { trace } = await agents.judge.run({ prompt: `Which is best?\n${replies}` });
    rollouts.forEach((rollout, at) => reward(rollout, 'best', Number(trace.lastReply === `${at}`)));
  },
});
expectTypeOf<typeof bestOf>().toEqualTypeOf<Environment<{ n: number }>>();

/** Two agents in one box, the second led turn by turn. */
export const sharedBox = defineEnvironment({
  data: z.object({ answer: z.number() }),
  roles: { first: { summary: 'writes' }, second: {} },
  async play({ task, agents }) {
    expectTypeOf<typeof task.answer>().toEqualTypeOf<number>();
    expectTypeOf(agents.first).toExtend<Agent<{ answer: number }>>();
    const { runtime } = await agents.first.run(task);
    const talk = await agents.second.open(task, { runtime });
    expectTypeOf<Awaited<ReturnType<typeof talk.say>>>().toEqualTypeOf<string | null>();
    await talk.say('And now?');
    const rollout: Rollout = await talk.end();
    void rollout;
  },
});

export const noSuchRole = defineEnvironment({
  roles: { solver: {} },
  async play({ task, agents }) {
    // @ts-expect-error: there is no such role
    await agents.judge.run(task);
  },
});
