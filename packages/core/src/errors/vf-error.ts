import type { ErrorCode } from './codes.ts';

const brand = Symbol.for('vf.error');

/** One thing that is wrong with what the user gave, and where. */
export interface Problem {
  readonly message: string;
  /** Path of keys, `taskset.count`. */
  readonly path?: string;
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  readonly column?: number;
  /** The closest name that would have been right. */
  readonly nearest?: string;
  readonly fix?: string;
}

/** What an error says beyond its code and message. */
export interface VfErrorOptions {
  /** What to type to mend it. */
  readonly hint?: string;
  readonly cause?: unknown;
  readonly problems?: readonly Problem[];
  /** HTTP status behind it, when there was one. */
  readonly status?: number;
  /** Would trying again help? Default: by the code's family. */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
}

/** Every error vf raises on purpose. `code` is permanent; test with `VfError.isInstance`, not `instanceof`. */
export class VfError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | null;
  readonly problems: readonly Problem[];
  readonly status: number | null;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;

  constructor(code: ErrorCode, message: string, options: VfErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'VfError';
    this.code = code;
    this.hint = options.hint ?? null;
    this.problems = options.problems ?? [];
    this.status = options.status ?? null;
    this.retryable = options.retryable ?? isInfrastructure(code);
    this.retryAfterMs = options.retryAfterMs ?? null;
    Object.defineProperty(this, brand, { value: true });
  }

  static isInstance(value: unknown): value is VfError {
    return typeof value === 'object' && value !== null && brand in value;
  }
}

/** Families that say nothing about the agent: retried, rerun by resume, never scored. */
export function isInfrastructure(code: string): boolean {
  return code === 'cancelled' || /^(provider|runtime|interception|worker)\//.test(code);
}

/** `provider/rate_limited` -> `provider`. */
export function familyOf(code: string): string {
  const slash = code.indexOf('/');
  return slash < 0 ? code : code.slice(0, slash);
}
