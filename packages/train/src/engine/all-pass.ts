/**
 * Waits for checks that are made at once.
 * @throws what the first of them, in this order, refuses
 */
export async function allPass(checks: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(checks))
    if (result.status === 'rejected') throw result.reason;
}
