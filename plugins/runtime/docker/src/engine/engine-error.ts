import type { ErrorCode } from '@vf/core';
import { VfError } from '@vf/core/errors';

/** HTTP status with which the engine refused a call; null for anything else. */
export function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('statusCode' in error)) return null;
  return typeof error.statusCode === 'number' ? error.statusCode : null;
}

/** The engine's own words. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const body = 'json' in error ? error.json : null;
  if (typeof body === 'object' && body !== null && 'message' in body) return String(body.message);
  return error.message;
}

/** Did the engine not answer at all? */
export function isEngineGone(error: unknown): boolean {
  return unreachable.has(systemCode(error) ?? '');
}

const unreachable = new Set([
  'ENOENT',
  'EACCES',
  'EPERM',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ETIMEDOUT',
]);

/**
 * `code` for what the engine refused, and its words; runtime/disk_full for want of space, runtime/engine_gone for one that
 * does not answer, and how to start it.
 */
export function engineError(error: unknown, code: ErrorCode, what: string): VfError {
  if (VfError.isInstance(error)) return error;
  if (/no space left on device/i.test(wordsOf(error))) {
    return new VfError('runtime/disk_full', `${what}: ${wordsOf(error)}`, {
      cause: error,
      // Whoever filled it: an agent that does must win no new try by it.
      retryable: false,
      hint: 'the disk of the engine is full, or one in the box that a program there filled: docker system df',
    });
  }
  if (!isEngineGone(error)) {
    return new VfError(code, `${what}: ${wordsOf(error)}`, {
      cause: error,
      retryable: (statusOf(error) ?? 500) >= 500,
    });
  }
  return new VfError('runtime/engine_gone', `${what}: ${awayWords(error)}`, {
    cause: error,
    retryable: false,
    hint: startHint(systemCode(error)),
  });
}

function awayWords(error: unknown): string {
  const isForbidden = ['EACCES', 'EPERM'].includes(systemCode(error) ?? '');
  const how = isForbidden ? 'may not be used' : 'does not answer';
  return `the Docker engine ${how} (${wordsOf(error)})`;
}

function startHint(code: string | null): string {
  if (code === 'EACCES' || code === 'EPERM') {
    return 'you may not use its socket: sudo usermod -aG docker $USER, then log in again';
  }
  return 'start it: sudo systemctl start docker, or Docker Desktop; elsewhere: set DOCKER_HOST';
}

function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}
