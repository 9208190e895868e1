import type { Endpoint } from '@vf/core';

/** Qwen Code's names for what it speaks, how its variables begin, and what it wants behind the endpoint. */
const ways = {
  'chat-completions': { authType: 'openai', prefix: 'OPENAI', path: '/v1' },
  responses: { authType: 'openai-responses', prefix: 'OPENAI', path: '/v1' },
  messages: { authType: 'anthropic', prefix: 'ANTHROPIC', path: '' },
} as const;

export type Dialect = keyof typeof ways;
export const dialects = Object.keys(ways) as readonly Dialect[];

export function authTypeOf(dialect: Dialect): string {
  return ways[dialect].authType;
}

/** Variables that say where the model is. */
export function modelVariables(
  dialect: Dialect,
  endpoint: Endpoint,
  model: string,
): Record<string, string> {
  const { prefix, path } = ways[dialect];
  return {
    [`${prefix}_BASE_URL`]: endpoint.url + path,
    [`${prefix}_API_KEY`]: endpoint.bearer,
    [`${prefix}_MODEL`]: model,
  };
}
