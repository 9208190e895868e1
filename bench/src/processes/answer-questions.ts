import type { Used } from './measured-process.ts';

/**
 * Answers the process that started this one over the IPC channel, and ends with it.
 * @param ready what it is told first
 */
export function answerQuestions(
  ready: object,
  answer: (question: unknown) => Promise<unknown>,
): void {
  process.on('message', (question) => {
    const answering = question === 'used' ? Promise.resolve(used()) : answer(question);
    answering.then(
      (given) => process.send?.({ answer: given ?? null }),
      (error: unknown) =>
        process.send?.({ failure: error instanceof Error ? error.stack : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.(ready);
}

function used(): Used {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { cpu: userCPUTime + systemCPUTime, peakBytes: maxRSS * 1024 };
}
