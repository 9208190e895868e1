import { closeSync, openSync } from 'node:fs';
import { listRuns } from '../../src/index.ts';

// Lists the runs of an output folder while no more files can be opened, and once they can; prints what each answers.
// usage: crowded OUTPUT_DIR

const [outputDir = ''] = process.argv.slice(2);

async function tellStatus(): Promise<void> {
  const answer = await listRuns(outputDir).then(
    (runs) => [...new Set(runs.map(({ status }) => status))].join(' '),
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
  process.stdout.write(`${String(answer)}\n`);
}

function takeAll(): number[] {
  const taken: number[] = [];
  for (;;) {
    try {
      taken.push(openSync('/dev/null', 'r'));
    } catch {
      return taken;
    }
  }
}

await tellStatus();
const taken = takeAll();
await tellStatus();
for (const file of taken) closeSync(file);
await tellStatus();
