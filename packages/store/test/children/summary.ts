import { readdirSync, writeSync } from 'node:fs';
import { RunWriter } from '../../src/index.ts';

// Resumes a run, begins a long summary, and ends by `exit` or SIGKILL once a part of it is on disk.
// usage: summary DIR exit|kill

const [dir = '', how] = process.argv.slice(2);
const writer = await RunWriter.resume(dir);
void writer.writeSummary({ long: 'x'.repeat(100_000_000) });
const watch = (): void => {
  const [part] = readdirSync(dir).filter((name) => name.endsWith('.part'));
  if (part === undefined) return void setImmediate(watch);
  writeSync(1, `${part}\n`);
  if (how === 'kill') process.kill(process.pid, 'SIGKILL');
  else process.exit(0);
};
watch();
