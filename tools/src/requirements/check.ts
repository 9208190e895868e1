/** Fails when a requirement has no test, or a test cites a requirement that is not there. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.ts';
import { requirementViolations } from './gate.ts';
import type { Requirement } from './gate.ts';

const skipped = new Set(['node_modules', 'dist', 'fixtures']);

const lists = globSync('requirements/*.json', { cwd: root })
  .toSorted()
  .map((file) => ({
    file,
    requirements: JSON.parse(readFileSync(join(root, file), 'utf8')) as Requirement[],
  }));
/** Suites that several tests share, and tests that another command runs, cite requirements as well. */
const patterns = [
  '{packages,plugins,apps,tests}/**/*.{test,test-d,engine-test}.ts',
  'tests/**/*-suite.ts',
];
const tests = globSync(patterns, {
  cwd: root,
  exclude: (path) => skipped.has(path.split('/').at(-1) ?? path),
}).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const violations = requirementViolations(lists, tests);
for (const violation of violations) console.error(violation);
process.exitCode = violations.length === 0 ? 0 : 1;
