import { describe, expect, test } from 'vitest';
import { exportChecks } from './checks.ts';
import type { ExportSuiteOptions } from './checks.ts';

/**
 * The contract of an export in executable form: whole or not there, streamed, the same each time, nothing silent. Call
 * it at the top of a vitest file.
 */
export function describeExport<Config>(options: ExportSuiteOptions<Config>): void {
  describe(`export ${options.exporter.id}`, () => {
    test.each(exportChecks)('$name', async (check) => {
      await expect(check.run(options)).resolves.toBeUndefined();
    });
  });
}
