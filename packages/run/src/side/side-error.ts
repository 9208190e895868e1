import type { CallError, ErrorCode, SideModel } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { providerError } from '@vf/rollout';

/** An answer that cannot be used: the rollout is unscored, or over. Asking again would give the same. */
export function sideError(
  { kind, name }: SideModel,
  what: string,
  options: { readonly cause?: VfError; readonly hint?: string } = {},
): VfError {
  const code: ErrorCode = kind === 'judge' ? 'scoring/judge_failed' : 'taskset/user_failed';
  const hint = options.hint ?? hints[kind];
  return new VfError(code, `${kind} ${name} ${what}`, {
    hint,
    ...(options.cause === undefined ? {} : { cause: options.cause }),
  });
}

const hints: Readonly<Record<SideModel['kind'], string>> = {
  judge: 'vf rescore asks the judge again, and only for what it has not answered yet',
  user: 'another --judges.NAME.model, or play it again: vf resume RUN --include taskset',
};

/**
 * A provider that failed for good. A judge's leaves the rollout as it is and unscored, since playing it again would
 * throw the agent's work away; a user's is the rollout's own, which is played again.
 */
export function sideCallError(declared: SideModel, error: CallError): VfError {
  const cause = providerError(error);
  if (cause.code === 'provider/refused') return sideError(declared, 'refused', { cause });
  if (declared.kind === 'user') return cause;
  const status = cause.status === null ? '' : ` (status ${cause.status})`;
  return sideError(declared, `could not be asked: ${cause.message}${status}`, { cause });
}
