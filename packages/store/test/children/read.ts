import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import { RunWriter, findRun, listRuns, readIndex, readPlan } from '../../src/index.ts';

/** Reads run `nightly` of an output folder as a user who is not its owner; prints what each way answers. */
const [outputDir = ''] = process.argv.slice(2);
const dir = join(outputDir, 'nightly');
if (process.getuid?.() === 0) process.setuid?.(65534);

const ways: readonly (() => Promise<unknown>)[] = [
  async () => (await listRuns(outputDir)).length,
  () => findRun(outputDir, 'nightly').then(() => 'found'),
  () => findRun(outputDir, 'last').then(() => 'found'),
  () => readPlan(dir).then(() => 'read'),
  async () => (await readIndex(dir)).length,
  () => RunWriter.resume(dir),
];
for (const way of ways) {
  const answer = await way().catch((error: unknown) =>
    VfError.isInstance(error) ? error.code : String(error),
  );
  process.stdout.write(`${String(answer)}\n`);
}
