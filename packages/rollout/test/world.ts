import type {
  AssistantMessage,
  Box,
  CallError,
  Interception,
  ModelCall,
  Runtime,
  Segment,
  SessionSpec,
  AnyTask,
} from '@vf/core';
import { VfError } from '@vf/core/errors';
import { single } from '../src/single.ts';
import type {
  EpisodePlan,
  RolePlan,
  Services,
  SideModels,
  TaskInstance,
  TasksetPlan,
} from '../src/plan.ts';

/** A little world around the life cycle: boxes that only count, a server that answers from a script, a clock of its own. */
export class World {
  readonly log: string[] = [];
  readonly boxes: { id: string; isStopped: boolean }[] = [];
  readonly sleeps: number[] = [];
  bootFailures: VfError[] = [];
  /** How boxes are kept; null: they cannot be. */
  keep: ((id: string) => Promise<string>) | null = null;
  /** Answers of the model, in order; the last is repeated. */
  answers: (string | CallError)[] = ['done'];
  #ids = 0;
  #now = 1_000_000;
  readonly refusals: CallError[] = [];

  readonly runtime: Runtime = {
    kind: 'runtime',
    specVersion: 1,
    id: 'counting',
    offers: {
      images: false,
      policies: ['public'],
      policyChange: false,
      users: false,
      services: false,
    },
    create: async () => {
      const failure = this.bootFailures.shift();
      if (failure !== undefined) throw failure;
      const record = { id: `box-${this.boxes.length + 1}`, isStopped: false };
      this.boxes.push(record);
      return this.#box(record);
    },
    sweep: async () => [],
  };

  readonly interception: Interception = {
    open: async (spec) => {
      this.session = spec;
      return {
        endpoint: { url: 'http://127.0.0.1:1', bearer: 'b' },
        inFlight: 0,
        mount: (name) => `http://127.0.0.1:1/${name}`,
        halt: () => undefined,
        close: async () => void this.log.push('session closed'),
      };
    },
  };
  session: SessionSpec | null = null;

  services(overrides: Partial<Services> = {}): Services {
    return {
      interception: this.interception,
      toolHost: null,
      sideModels: noSideModels,
      clock: { now: () => (this.#now += 10), sleep: async (ms) => void this.sleeps.push(ms) },
      random: () => 1,
      newId: () => `id-${++this.#ids}`,
      log: () => ({
        debug: () => undefined,
        info: () => undefined,
        warn: (text) => void this.log.push(`warn: ${text}`),
        error: () => undefined,
      }),
      labels: (rollout) => ({ run: 'r', rollout, host: 'h', pid: 1, started: 0 }),
      secret: () => undefined,
      artifactDir: () => null,
      observer: { phase: (_trace, phase) => void this.log.push(phase) },
      ...overrides,
    };
  }

  /** One model call as the server would record it; null when it was refused. */
  async call(prompt: string): Promise<string | null> {
    const { session } = this;
    if (session === null) throw new Error('no session is open');
    const refusal = session.admit();
    if (refusal !== null) {
      this.refusals.push(refusal);
      return null;
    }
    const answer = (this.answers.length > 1 ? this.answers.shift() : this.answers[0]) ?? '';
    const { graph } = session.trace;
    const settings = { model: 'm', stream: false };
    const base = {
      dialect: 'chat-completions',
      endpoint: '/v1/chat/completions',
      requestedModel: 'm',
      model: 'm',
      settings,
      attempt: 1,
      start: 1,
      end: 2,
      firstByte: 1,
    };
    let call: ModelCall;
    if (typeof answer === 'string') {
      const reply: AssistantMessage = { role: 'assistant', content: answer };
      const at =
        graph.nodes.length === 0 ? graph.start([]) : { node: graph.nodes.length - 1, toolList: 0 };
      const { reply: node } = graph.commit(
        at,
        [{ said: { role: 'user', content: prompt } }],
        { message: reply },
        { timestamp: 1 },
      );
      call = {
        ...base,
        node,
        finish: 'stop',
        rawFinish: 'stop',
        usage: { inputTokens: 10, outputTokens: 5 },
        cost: 0.5,
        status: 200,
        error: null,
      };
    } else {
      call = {
        ...base,
        node: null,
        finish: null,
        rawFinish: null,
        usage: null,
        cost: null,
        status: answer.status,
        error: answer,
      };
    }
    session.trace.calls.push(call);
    await session.onCall?.(call, new AbortController().signal);
    return typeof answer === 'string' ? answer : null;
  }

  /** A role whose agent makes `calls` model calls a turn. */
  role(
    overrides: Partial<RolePlan> = {},
    turn: (prompt: string) => Promise<Segment> = (prompt) => this.turn(prompt),
  ): RolePlan {
    return {
      name: 'agent',
      trainable: true,
      scored: true,
      harness: {
        id: 'scripted',
        version: null,
        config: {},
        env: {},
        spec: {
          speaks: ['chat-completions'],
          capabilities: {},
          open: async () => ({
            turn: (prompt) => turn(typeof prompt === 'string' ? prompt : ''),
            close: async () => void this.log.push('agent closed'),
          }),
        },
      },
      dialect: 'chat-completions',
      runtime: { id: 'counting', plugin: this.runtime, config: {} },
      model: 'm',
      client: { send: () => Promise.reject(new Error('unused')) },
      sampling: {},
      price: null,
      limits: {},
      timeouts: {},
      timeoutMultiplier: 1,
      retries: { maxRetries: 3, rules: [], baseDelayMs: 100, maxDelayMs: 1_000 },
      keepFailedBoxes: false,
      ...overrides,
    };
  }

  async turn(prompt: string): Promise<Segment> {
    const answer = await this.call(prompt);
    return { status: answer === null ? 'failed' : 'completed' };
  }

  #box(record: { id: string; isStopped: boolean }): Box {
    const unused = (): never => {
      throw new VfError('internal/unexpected', 'not used in this test');
    };
    const { keep } = this;
    return {
      id: record.id,
      workdir: '/w',
      home: '/h',
      platform: { os: 'linux', arch: 'x64', libc: 'glibc' },
      run: unused,
      spawn: unused,
      read: unused,
      write: unused,
      upload: unused,
      download: unused,
      toolbox: unused,
      alive: async () => !record.isStopped,
      reach: async (url) => url,
      expose: unused,
      setNetwork: async (policy, routes) =>
        void this.log.push(`network ${policy.mode}, but ${routes.join(' ') || 'nothing'}`),
      stop: async () => {
        record.isStopped = true;
        this.log.push(`${record.id} stopped`);
      },
      cleanup: () => undefined,
      ...(keep === null ? {} : { keep: () => keep(record.id) }),
    };
  }
}

/** Of a taskset that declares none. */
export const noSideModels: SideModels = {
  find: ({ name }) => {
    throw new VfError('taskset/hook_failed', `${name} is not declared`);
  },
  ask: () => Promise.reject(new Error('nobody is asked in this test')),
};

export function taskOf(fields: Readonly<Record<string, unknown>> = {}): TaskInstance {
  const row = { prompt: 'go', ...fields };
  const task: AnyTask = { ...row, key: 'task-1' };
  return { key: 'task-1', hash: 'h', row, task };
}

export function tasksetOf(overrides: Partial<TasksetPlan> = {}): TasksetPlan {
  return {
    name: 'test',
    spec: { load: () => [] },
    config: {},
    rewards: [],
    metrics: [],
    stops: [],
    groupWeights: {},
    ...overrides,
  };
}

export function planOf(
  roles: readonly RolePlan[],
  taskset: TasksetPlan,
  environment: Partial<EpisodePlan['environment']> = {},
): EpisodePlan {
  return {
    run: { id: 'run' },
    environment: { id: 'single', spec: single, config: {}, ...environment },
    taskset,
    roles: Object.fromEntries(roles.map((role) => [role.name, role])),
  };
}
