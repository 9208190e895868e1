import { defineConfig } from 'vitest/config';

const conditions = ['@vf/source', 'module', 'node', 'development|production'];

/** Engines that take gigabytes and minutes, one after the other; `vitest run` of the workspace does not know them. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['@vf/source'] } },
  test: {
    name: 'engines',
    root: import.meta.dirname,
    include: ['src/train/*.engine-test.ts'],
    fileParallelism: false,
    reporters: ['verbose', '../tools/src/counts-reporter.ts'],
    execArgv: ['--conditions=@vf/source'],
    restoreMocks: true,
  },
});
