import type { Reporter, TestModule } from 'vitest/node';

import { type Counts, countsLine } from './counts.ts';

/** Counts tests; a file that fails to load and an error outside tests count as one failure each. */
export function countTests(modules: readonly TestModule[], errorsOutside: number): Counts {
  const counts = { passed: 0, failed: errorsOutside, skipped: 0 };
  for (const module of modules) {
    const failedBefore = counts.failed;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') counts.passed++;
      else if (state === 'failed') counts.failed++;
      else counts.skipped++;
    }
    if (!module.ok() && counts.failed === failedBefore) counts.failed++;
  }
  return counts;
}

/** Names what was skipped and ends the output with `N passed, N failed, N skipped`. */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = countTests(modules, errors.length);
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        console.log(`skipped: ${test.project.name} ${module.relativeModuleId} > ${test.fullName}`);
      }
    }
    console.log(countsLine(counts));
    if (counts.skipped > 0 && process.env['CI'] === 'true') process.exitCode = 1;
  }
}
