/**
 * Plays jobs in order, at most `limit` at once; begins none once `stop` has fired and then waits for those under
 * way. `play` must not throw; if it does, nothing new begins and its error is thrown when the others are done.
 */
export async function schedule<Job>(
  jobs: Iterable<Job>,
  limit: number,
  stop: AbortSignal,
  play: (job: Job) => Promise<void>,
): Promise<void> {
  const queue = jobs[Symbol.iterator]();
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    while (!stop.aborted && failures.length === 0) {
      const next = queue.next();
      if (next.done === true) return;
      await play(next.value).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
  if (failures.length > 0) throw failures[0];
}
