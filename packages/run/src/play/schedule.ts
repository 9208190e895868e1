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
  const take = (): IteratorResult<Job> =>
    stop.aborted || failures.length > 0 ? { done: true, value: undefined } : queue.next();
  const work = async (first: Job): Promise<void> => {
    for (let job: IteratorResult<Job> = { value: first }; job.done !== true; job = take())
      await play(job.value).catch((error: unknown) => failures.push(error));
  };
  // No more workers than jobs: a limit may be set far beyond what there is to do.
  const workers: Promise<void>[] = [];
  while (workers.length < limit) {
    const first = take();
    if (first.done === true) break;
    workers.push(work(first.value));
  }
  await Promise.all(workers);
  if (failures.length > 0) throw failures[0];
}
