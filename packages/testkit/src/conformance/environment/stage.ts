import type {
  Agent,
  Conversation,
  Environment,
  Rollout,
  RuntimeApi,
  TaskRow,
  Trace,
} from '@vf/core';
import { makeTrace } from '../../factories/trace.ts';

export interface EnvironmentSuiteOptions {
  /** The task of the run that is played. */
  readonly task: TaskRow<object> & { readonly key: string };
  /** What each role's agent says, in turn over the episode; the last one again and again. */
  readonly replies: Readonly<Record<string, readonly [string, ...string[]]>>;
  /** Rewards that the taskset gives, in turn over the episode; the last one again and again. Default: 0, then 1. */
  readonly rewards?: readonly [number | null, ...(number | null)[]];
  /** The environment's options as its user writes them; default none. */
  readonly config?: object;
  /** For one test, in milliseconds; default 60,000. */
  readonly timeoutMs?: number;
}

/** How the agents of an episode behave. `broken`: each rollout ends with an error and without a reply. */
type Behaviour = 'well' | 'broken' | 'cancelled';

/** What an environment did with its agents. */
export interface PlayedEpisode {
  readonly rollouts: readonly Rollout[];
  readonly given: readonly {
    readonly rollout: Rollout;
    readonly name: string;
    readonly score: number | null;
    readonly weight: number | undefined;
  }[];
  readonly chosen: readonly Rollout[];
  /** Conversations that were opened and never ended. */
  readonly open: number;
}

/** Plays an episode with scripted agents, which have no box. @throws what `play` throws */
export async function playScripted(
  { spec }: Environment,
  options: EnvironmentSuiteOptions,
  behaviour: Behaviour,
): Promise<PlayedEpisode> {
  const rollouts: Rollout[] = [];
  const given: PlayedEpisode['given'][number][] = [];
  const chosen: Rollout[] = [];
  let open = 0;
  const controller = new AbortController();
  if (behaviour === 'cancelled') controller.abort(new Error('cancelled'));

  const agentOf = (role: string): Agent<object> => {
    const said = options.replies[role] ?? [`I am the ${role}.`];
    let turns = 0;
    const next = (): string => said[Math.min(turns++, said.length - 1)] ?? '';
    const finished = (reply: string | null): Rollout => {
      const rewards = options.rewards ?? [0, 1];
      const reward = rewards[Math.min(rollouts.length, rewards.length - 1)] ?? null;
      const rollout = { trace: traceOf(reply, reward), runtime: noBox };
      rollouts.push(rollout);
      return rollout;
    };
    return {
      async run() {
        controller.signal.throwIfAborted();
        return finished(behaviour === 'broken' ? null : next());
      },
      async open(): Promise<Conversation> {
        controller.signal.throwIfAborted();
        open++;
        let last: string | null = null;
        return {
          say: async () => (last = behaviour === 'broken' ? null : next()),
          async end() {
            open--;
            return finished(last);
          },
        };
      },
    };
  };

  await spec.play({
    task: options.task,
    agents: Object.fromEntries(Object.keys(spec.roles).map((role) => [role, agentOf(role)])),
    config: (await spec.config?.parseAsync(options.config ?? {})) ?? {},
    signal: controller.signal,
    reward: (rollout: Rollout, name: string, score: number | null, weight?: number) =>
      void given.push({ rollout, name, score, weight }),
    choose: (rollout: Rollout) => void chosen.push(rollout),
  });
  return { rollouts, given, chosen, open };
}

/** A finished rollout that said this; null: one that failed. */
function traceOf(reply: string | null, reward: number | null): Trace {
  if (reply === null)
    return makeTrace({ turns: [], rewards: { taskset: null }, stopCondition: 'error' });
  return makeTrace({
    turns: [
      {
        prompt: [{ role: 'user', content: 'as asked' }],
        reply: { role: 'assistant', content: reply },
      },
    ],
    rewards: { taskset: reward },
  });
}

const refused = (): Promise<never> => Promise.reject(new Error('a scripted agent has no box'));

const noBox: RuntimeApi = {
  id: 'none',
  workdir: '/',
  home: '/',
  platform: { os: 'linux', arch: 'x64', libc: 'glibc' },
  run: refused,
  spawn: refused,
  read: refused,
  write: refused,
  upload: refused,
  download: refused,
  toolbox: refused,
};
