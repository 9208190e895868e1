import type { EngineSpec } from './engines/engine-spec.ts';

export type Reason = 'no-python' | 'install-failed' | 'start-failed';

const brand = Symbol.for('vf.local-model-unavailable');

/** The local model cannot run here; a caller that has another model may go on with that. */
export class LocalModelUnavailable extends Error {
  readonly reason: Reason;
  /** what to do about it */
  readonly hint: string;

  constructor(reason: Reason, message: string, hint: string) {
    super(message);
    this.name = 'LocalModelUnavailable';
    this.reason = reason;
    this.hint = hint;
    Object.defineProperty(this, brand, { value: true });
  }

  static isInstance(value: unknown): value is LocalModelUnavailable {
    return typeof value === 'object' && value !== null && brand in value;
  }
}

/** The server did not come up; `said` is what it wrote last. */
export function startFailed({ id, memory }: EngineSpec, said: string): LocalModelUnavailable {
  return new LocalModelUnavailable(
    'start-failed',
    `the local model's server (${id}) ended before it answered:\n${said}`,
    `is the port free, and ${memory} GB of memory?`,
  );
}
