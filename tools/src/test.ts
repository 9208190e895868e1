/**
 * The whole test run: static checks, each counted as one test, then vitest. The last line is
 * `N passed, N failed, N skipped`. `--static` leaves vitest out. With CI=true a skip is a failure.
 */
import { checks } from './checks.ts';
import { addCounts, countsLine } from './counts.ts';
import { runChecks } from './run-checks.ts';
import { runVitest } from './run-vitest.ts';
import { startTestEngine } from './test-engine.ts';

process.env['TURBO_TELEMETRY_DISABLED'] = '1';

const isStatic = process.argv.includes('--static');
const engine = isStatic ? Promise.resolve() : startTestEngine();
let counts = await runChecks(checks);
await engine;
if (!isStatic) counts = addCounts(counts, await runVitest());
console.log(countsLine(counts));
const skipFails = process.env['CI'] === 'true' && counts.skipped > 0;
process.exitCode = counts.failed > 0 || skipFails ? 1 : 0;
