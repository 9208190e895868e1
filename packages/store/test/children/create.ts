import { writeSync } from 'node:fs';
import { VfError } from '@vf/core/errors';
import { RunWriter } from '../../src/index.ts';

// Creates a run and prints how that went; holds the lock until the process is ended when told to `stay`.
// usage: create DIR [stay]

const [dir = '', stay] = process.argv.slice(2);
try {
  const writer = await RunWriter.create({
    dir,
    runId: 'k7fq2a',
    name: 'run',
    configToml: '',
    plan: {},
  });
  writeSync(1, 'ok\n');
  if (stay === 'stay') setInterval(() => undefined, 1000);
  else await writer.close();
} catch (error) {
  if (!VfError.isInstance(error)) throw error;
  writeSync(1, `${error.code}\n`);
}
