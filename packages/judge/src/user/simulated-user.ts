import { VfError, z } from '@vf/core';
import type { AnyHook, NextTurn, Sampling, SideClient, SideModel, Trace } from '@vf/core';
import { taskText } from '../prompt/task-text.ts';
import { readVerdict } from '../verdict/read-verdict.ts';
import { wireSchema } from '../verdict/wire-schema.ts';
import { userPrompt } from './user-prompt.ts';
import type { SpokenTurn } from './user-prompt.ts';

export interface SimulatedUserOptions {
  /** Unique in the taskset: errors, usage and `judges.NAME` of the config call it so. */
  readonly name: string;
  /** Who the user is and how they talk. */
  readonly persona: string;
  /** What they want of the agent. The agent is told only what the user says. */
  readonly goal: string;
  /** When they are content or give up; default: when the goal is reached, or cannot be. */
  readonly stop?: string;
  /** Most turns of theirs, the task's own prompt left out. Default 5. */
  readonly maxTurns?: number;
  readonly model?: string;
  readonly client?: SideClient;
  readonly sampling?: Sampling;
}

/** A user as the `next` hook of a taskset. How it ended stands on the trace, `info.users.NAME`. */
export interface SimulatedUser {
  (ctx: AnyHook): Promise<NextTurn | null>;
  readonly judges: readonly [SideModel];
}

const reply = z
  .strictObject({ message: z.string(), done: z.boolean() })
  .refine(({ message, done }) => done || message.trim() !== '', {
    message: 'a message, or done',
    path: ['message'],
  });
const wire = wireSchema(reply);

/**
 * Makes a model speak as the user after each turn of the agent, until it is done or `maxTurns` is reached. Its
 * answers are samples like the agent's: they are not kept for another time.
 * @throws VfError config/invalid; the hook: taskset/user_failed, provider/*
 */
export function simulatedUser(options: SimulatedUserOptions): SimulatedUser {
  const { name, maxTurns = 5 } = options;
  if (!Number.isInteger(maxTurns) || maxTurns < 1)
    throw new VfError('config/invalid', `user ${name}: maxTurns must be 1 or more`, {
      hint: 'maxTurns: 5',
    });
  const declared = declare(options, maxTurns);
  const spoken = new WeakMap<Trace, SpokenTurn[]>();
  const next = async (ctx: AnyHook): Promise<NextTurn | null> => {
    const turns = spoken.get(ctx.trace) ?? [];
    spoken.set(ctx.trace, turns);
    const last = turns.at(-1);
    const said = last === undefined ? taskText(ctx) : last.next;
    const turn: SpokenTurn = { said, reply: ctx.trace.lastReply, next: '' };
    const word = turns.length >= maxTurns ? null : await ask(ctx, declared, [...turns, turn]);
    const isOver = word === null || word.done;
    const ended = word === null ? 'max_turns' : word.done ? 'done' : null;
    note(ctx.trace, name, { turns: turns.length + Number(!isOver), ended });
    if (isOver) return null;
    turns.push({ ...turn, next: word.message });
    return { prompt: word.message, session: 'resume', user: name };
  };
  return Object.assign(next, { judges: [declared] as const });
}

function declare(options: SimulatedUserOptions, maxTurns: number): SideModel {
  const { name, persona, goal, model, client, sampling } = options;
  const stop = options.stop ?? 'The goal is reached, or it is plain that it cannot be.';
  return {
    kind: 'user',
    name,
    prompt: `Who you are: ${persona}\nWhat you want: ${goal}\nWhen you are done: ${stop}`,
    ...(model === undefined ? {} : { model }),
    ...(client === undefined ? {} : { client }),
    ...(sampling === undefined ? {} : { sampling }),
    measures: { maxTurns },
    checkPrompt: (prompt) => (prompt.trim() === '' ? 'it is empty' : null),
  };
}

async function ask(
  ctx: AnyHook,
  declared: SideModel,
  turns: readonly SpokenTurn[],
): Promise<z.output<typeof reply>> {
  const channel = ctx.sideModel(declared);
  const answer = await channel.ask({
    messages: userPrompt(channel.prompt, turns, wire.schema),
    format: { name: 'turn', schema: wire.schema, ...(wire.strict ? { strict: true } : {}) },
    check: (text) => readVerdict(text, reply).problem,
    cached: false,
  });
  const { verdict, problem } = readVerdict(answer, reply);
  if (problem !== null)
    throw new VfError('taskset/user_failed', `user ${declared.name}: ${problem}`);
  return verdict;
}

function note(trace: Trace, name: string, how: object): void {
  const before = trace.info['users'];
  trace.info['users'] = { ...(typeof before === 'object' ? before : {}), [name]: how };
}
