import type { z } from '@vf/core';

/** Is what is wrong that nothing is there? Zod says so in the message alone. */
export function isMissing({ code, message }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && message.endsWith('received undefined');
}
