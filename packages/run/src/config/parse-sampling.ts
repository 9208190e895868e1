import type { Sampling } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { sampling } from './schema.ts';
import { toSampling } from './to-run-config.ts';

/** Sampling settings in snake_case, as `[sampling]` has them. @throws VfError config/invalid */
export function parseSampling(input: unknown): Sampling {
  const parsed = sampling.safeParse(input);
  if (parsed.success) return toSampling(parsed.data);
  const problems = parsed.error.issues.map(({ path, message }) => ({
    path: ['sampling', ...path].join('.'),
    message,
  }));
  const [first] = problems;
  throw new VfError('config/invalid', `${first?.path}: ${first?.message}`, { problems });
}
