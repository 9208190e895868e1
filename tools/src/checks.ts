/** A static check of the whole workspace: one command that exits with 0 when all is well. */
export interface Check {
  readonly title: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** Title of a check that must have passed before this one can run. */
  readonly after?: string;
}

/** All static checks, in the order in which they are started. */
export const checks: readonly Check[] = [
  { title: 'format', command: ['oxfmt', '--check'] },
  { title: 'lint', command: ['oxlint', '--deny-warnings'] },
  { title: 'direction', command: ['node', 'tools/src/direction/check.ts'] },
  { title: 'requirements', command: ['node', 'tools/src/requirements/check.ts'] },
  {
    title: 'build',
    command: [
      'turbo',
      'run',
      'build',
      '--output-logs=errors-only',
      '--continue=dependencies-successful',
    ],
  },
  { title: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  { title: 'types of core', command: ['tsc', '-p', 'packages/core'] },
  { title: 'dead code', command: ['knip', '--no-progress', '--no-config-hints'] },
  { title: 'package shape', command: ['node', 'tools/src/shape.ts'], after: 'build' },
];
