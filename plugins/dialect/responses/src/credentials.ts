import type { Dialect } from '@vf/core';
import { secretOf } from '@vf/core/dialect';

/** The bearer token, which is where the OpenAI SDKs and Codex put their key. */
export const secret: Dialect['secret'] = (headers) => secretOf(headers, []);

export const authorize: Dialect['authorize'] = (key) => ['authorization', `Bearer ${key}`];
