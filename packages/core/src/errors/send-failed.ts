export type SendFailure = 'unreachable' | 'reset' | 'timeout' | 'aborted';

const brand = Symbol.for('vf.send-failed');

/** Thrown by `Client.send` before there is a head. `reset` on a reused socket may be tried again at once. */
export class SendFailed extends Error {
  readonly code: SendFailure;

  constructor(code: SendFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SendFailed';
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  static isInstance(value: unknown): value is SendFailed {
    return typeof value === 'object' && value !== null && brand in value;
  }
}
