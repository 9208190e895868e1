import type { TraceAgent, TraceTask } from '../trace/trace.ts';

/** What a loop works on, and with what. */
export interface CaptureAbout {
  /** `type` names what scores it, `key` the task among others; `data` is its row, without secrets. */
  readonly task: Pick<TraceTask, 'type' | 'key'> & Partial<TraceTask>;
  /** `model` is asked for unless a request says another; `harness` is the loop itself. */
  readonly agent: Pick<TraceAgent, 'model'> &
    Partial<Pick<TraceAgent, 'name' | 'trainable' | 'sampling'>> & {
      readonly harness?: { readonly id: string; readonly version?: string };
    };
  /** `fixture`: made data, no real inference; exports say so. Default: `captured`. */
  readonly source?: 'captured' | 'fixture';
  /** Which attempt at the task, from 1. */
  readonly attempt?: number;
  /** Of the trace and its episode. Default: a new one. */
  readonly id?: string;
  /** Unix seconds. */
  readonly now?: () => number;
}
