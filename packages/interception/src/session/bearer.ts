import { randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * The secret of one session: an id to find it by, and a random part that is compared in constant time. Letters,
 * digits and hyphens only, so that every agent takes it for an API key.
 */
export interface Bearer {
  readonly id: string;
  readonly value: string;
  readonly bytes: Buffer;
}

const form = /^vf-([0-9a-f]{16})-[0-9a-f]{48}$/;

export function createBearer(): Bearer {
  const random = randomBytes(32).toString('hex');
  const id = random.slice(0, 16);
  const value = `vf-${id}-${random.slice(16)}`;
  return { id, value, bytes: Buffer.from(value) };
}

/** The id in what looks like a bearer; null for anything else. */
export function bearerId(secret: string): string | null {
  return form.exec(secret)?.[1] ?? null;
}

export function isBearer(secret: string, bearer: Bearer): boolean {
  const given = Buffer.from(secret);
  return given.length === bearer.bytes.length && timingSafeEqual(given, bearer.bytes);
}
