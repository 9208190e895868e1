import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LocalModelUnavailable, installedPython, localTokenizer } from '@vf/local-model';
import { runExample } from './run-example.ts';
import { help, parseOptions } from './options.ts';
import { emptyFolder } from './out-folder.ts';
import { trainerPython } from './trainer-python.ts';

const stop = new AbortController();
process.once('SIGINT', () => stop.abort(new Error('interrupted')));
process.once('SIGTERM', () => stop.abort(new Error('terminated')));

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(help);
  } else {
    const out = resolve(options.out);
    await emptyFolder(out);
    const [python, tokenizer] = [
      await installedPython(trainerPython, stop.signal),
      await localTokenizer(stop.signal),
    ];
    const say = (line: string): void => void process.stdout.write(`${line}\n`);
    const results = await runExample(options, { python, tokenizer, out }, say, stop.signal);
    const file = join(out, 'results.json');
    await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
    say(`\n${file}`);
    process.exitCode = results.ok ? 0 : 1;
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (LocalModelUnavailable.isInstance(error)) process.stderr.write(`fix: ${error.hint}\n`);
  process.exitCode = 2;
}
