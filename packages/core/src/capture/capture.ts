import { VfError } from '../errors/vf-error.ts';
import type { Episode } from '../trace/episode.ts';
import { Trace } from '../trace/trace.ts';
import type { CaptureAbout } from './about.ts';
import { finished } from './finish.ts';
import type { CaptureOutcome } from './finish.ts';
import type { PlainModel, ModelForm, ModelReply, ModelRequest } from './model.ts';
import { CallRecorder } from './record-call.ts';

/** A wrapped model, and the record of what was asked of it. Its functions may be taken apart. */
export interface Capture<Wrapped> {
  /** Answers and fails as the given model does. */
  readonly model: Wrapped;
  readonly trace: Trace;
  /**
   * A score under a name; null: scoring failed. The reward of the trace is the weighted sum.
   * @throws VfError scoring/invalid_score
   */
  readonly reward: (name: string, score: number | null, weight?: number) => void;
  /** A figure that does not count. @throws VfError scoring/invalid_score */
  readonly metric: (name: string, value: number | null) => void;
  /** Facts of your own, kept with the trace. */
  readonly note: (facts: Readonly<Record<string, unknown>>) => void;
  /** Ends the record; what the model is asked from now on is refused, and so are scores. Again: the same episode. */
  readonly finish: (outcome?: CaptureOutcome) => Episode;
}

/**
 * Wraps a model call, so that a loop of one's own leaves the trace that a rollout of vf leaves: every message once,
 * branches where the loop rewrote its past, usage, times, failures, and the exact tokens where the model tells them.
 */
export function capture<Request extends ModelRequest, Reply extends ModelReply>(
  model: (request: Request, signal?: AbortSignal) => Promise<Reply>,
  about: CaptureAbout,
): Capture<(request: Request, signal?: AbortSignal) => Promise<Reply>>;
/** The same for a model of any form. `form` reads what went in and what came out; the wrapped model keeps its own type. */
export function capture<Args extends readonly unknown[], Result>(
  model: (...args: Args) => Promise<Result>,
  about: CaptureAbout,
  form: ModelForm<NoInfer<Args>, NoInfer<Result>>,
): Capture<(...args: Args) => Promise<Result>>;
export function capture<Args extends readonly unknown[], Result>(
  model: (...args: Args) => Promise<Result>,
  about: CaptureAbout,
  form: ModelForm<Args, Result> | ModelForm<Parameters<PlainModel>, ModelReply> = ownForm,
): Capture<(...args: Args) => Promise<Result>> {
  const now = about.now ?? (() => Date.now() / 1000);
  const trace = openTrace(about, now());
  const recorder = new CallRecorder(trace, form as ModelForm<Args, Result>, now);
  let episode: Episode | null = null;
  const checkOpen = (): void => {
    if (episode === null) return;
    throw new VfError('usage/invalid', `the capture of ${trace.task.key} is finished`, {
      hint: 'capture the model anew for each rollout, and score before the end',
    });
  };
  return {
    model: async (...args) => {
      checkOpen();
      return recorder.record(model, args);
    },
    trace,
    reward: (name, score, weight = 1) => {
      checkOpen();
      trace.rewards[name] =
        score === null ? null : { score: checked(name, score), weight: checked(name, weight) };
    },
    metric: (name, value) => {
      checkOpen();
      trace.metrics[name] = value === null ? null : checked(name, value);
    },
    note: (facts) => {
      checkOpen();
      Object.assign(trace.info, facts);
    },
    finish: (outcome = {}) => {
      recorder.close();
      episode ??= finished(trace, about, outcome, { end: now(), modelSeconds: recorder.busy });
      return episode;
    },
  };
}

const ownForm: ModelForm<Parameters<PlainModel>, ModelReply> = {
  request: (request) => {
    if (Array.isArray(request?.messages)) return request;
    throw new VfError('usage/invalid', 'the model was asked without a list of messages', {
      hint: 'ask { messages }, or give capture a form that reads what you ask',
    });
  },
  reply: (reply) => {
    const { role } = reply?.message ?? {};
    if (role === 'assistant') return reply;
    throw new TypeError('it holds no message of the assistant; a stream is read whole first');
  },
};

function openTrace({ task, agent, source, id }: CaptureAbout, start: number): Trace {
  const { name = 'agent', trainable = true, sampling = {}, model, harness } = agent;
  const trace = new Trace({
    id: id ?? crypto.randomUUID().replaceAll('-', ''),
    task: { hash: '', data: {}, ...task },
    agent: {
      name,
      trainable,
      model,
      sampling,
      harness: { id: harness?.id ?? 'capture', version: harness?.version ?? null, config: {} },
      runtime: { id: 'capture', config: {} },
      limits: {},
    },
    start,
  });
  if (source !== undefined) trace.info['source_kind'] = source;
  return trace;
}

function checked(name: string, value: number): number {
  if (Number.isFinite(value)) return value;
  throw new VfError('scoring/invalid_score', `${name} is ${value}`, {
    hint: 'a finite number, or null where scoring failed',
  });
}
