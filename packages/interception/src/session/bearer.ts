import { randomBytes } from 'node:crypto';

/**
 * The secret of one session: an id to find it by, and a random part that is compared in constant time. Letters,
 * digits and hyphens only, so that every agent takes it for an API key.
 */
export interface Bearer {
  readonly id: string;
  readonly value: string;
}

const idStart = 3;
const idEnd = idStart + 16;
const length = idEnd + 1 + 48;

export function createBearer(): Bearer {
  const id = randomBytes(8).toString('hex');
  return { id, value: `vf-${id}-${randomBytes(24).toString('hex')}` };
}

/** The id in what may be a bearer; null for what cannot be one. */
export function bearerId(secret: string): string | null {
  return secret.length === length ? secret.slice(idStart, idEnd) : null;
}

/** Takes the same time wherever the first difference is. */
export function isBearer(secret: string, { value }: Bearer): boolean {
  let difference = secret.length ^ value.length;
  for (let i = 0; i < value.length; i++) difference |= secret.charCodeAt(i) ^ value.charCodeAt(i);
  return difference === 0;
}
