import { Trace } from '@vf/core/trace';
import type { AssistantMessage, Message, ModelCall, TraceAgent, TraceTask, Usage } from '@vf/core';

/** Unix seconds at which made traces start. */
const start = 1_700_000_000;

/** One turn: what was added to the prompt, and what the model said. */
export interface MadeTurn {
  readonly prompt: readonly Message[];
  readonly reply: AssistantMessage;
  readonly usage?: Usage;
}

export interface TraceOptions {
  readonly id?: string;
  readonly task?: Partial<TraceTask>;
  readonly agent?: Partial<TraceAgent>;
  /** Default: one turn that asks `2 + 2` and answers `4`. */
  readonly turns?: readonly MadeTurn[];
  /** Scores by name, weight 1; null for a failed one. Default: `correct: 1`. */
  readonly rewards?: Readonly<Record<string, number | null>>;
  readonly stopCondition?: string;
}

/** A finished, scored trace of one conversation, the same for the same options; one second per turn. */
export function makeTrace(options: TraceOptions = {}): Trace {
  const { turns = [oneSum], rewards = { correct: 1 } } = options;
  const trace = new Trace({
    id: options.id ?? 'rollout-1',
    start,
    task: {
      type: 'sums',
      key: 'sum-1',
      hash: '0'.repeat(64),
      data: { prompt: '2 + 2' },
      ...options.task,
    },
    agent: { ...agent, ...options.agent },
  });
  let at = trace.graph.start([]);
  turns.forEach((turn, index) => {
    const prompt = turn.prompt.map((said) => ({ said }));
    const committed = trace.graph.commit(
      at,
      prompt,
      { message: turn.reply },
      { timestamp: start + index },
    );
    at = { ...at, node: committed.reply };
    trace.calls.push(callOf(turn, index, committed.reply, trace.agent.model));
  });
  for (const [name, score] of Object.entries(rewards))
    trace.rewards[name] = score === null ? null : { score, weight: 1 };
  trace.timing.agent = { start, end: start + turns.length, model: turns.length, harness: 0 };
  return Object.assign(trace, {
    stopCondition: options.stopCondition ?? 'agent_completed',
    isCompleted: true,
    ok: Object.values(rewards).every((score) => score !== null),
  });
}

const oneSum: MadeTurn = {
  prompt: [{ role: 'user', content: '2 + 2' }],
  reply: { role: 'assistant', content: '4' },
};

const agent: TraceAgent = {
  name: 'agent',
  trainable: true,
  model: 'scripted',
  harness: { id: 'null', version: null, config: {} },
  runtime: { id: 'subprocess', config: {} },
  sampling: {},
  limits: {},
};

function callOf(turn: MadeTurn, index: number, node: number | null, model: string): ModelCall {
  const finish = (turn.reply.toolCalls?.length ?? 0) > 0 ? 'tool_calls' : 'stop';
  return {
    node,
    dialect: 'chat-completions',
    endpoint: '/v1/chat/completions',
    requestedModel: model,
    model,
    settings: { model, stream: true },
    finish,
    rawFinish: finish,
    usage: turn.usage ?? { inputTokens: 10 * (index + 1), outputTokens: 5 },
    cost: null,
    status: 200,
    attempt: 1,
    start: start + index,
    end: start + index + 1,
    firstByte: start + index,
    error: null,
  };
}
