import type { RuntimeApi } from '@vf/core';
import { VfError } from '@vf/core/errors';

/**
 * For agents that go on without their shell, each call of it only returning an error text.
 * @param shells any of these will do
 * @throws VfError harness/open_failed when the box has none of them
 */
export async function requireShell(
  agent: string,
  shells: readonly string[],
  runtime: RuntimeApi,
  signal: AbortSignal,
): Promise<void> {
  const script = 'for shell; do command -v "$shell" && exit; done; exit 1';
  const looked = await runtime.run(['sh', '-c', script, 'sh', ...shells], { signal });
  if (looked.exitCode === 0) return;
  const wanted = shells.join(' or ');
  throw new VfError(
    'harness/open_failed',
    `${agent} needs ${wanted} in the box, and there is none`,
    { hint: `use an image with ${wanted}, or install it in the setup hook of the taskset` },
  );
}
