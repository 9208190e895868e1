import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { editModel, sumsModel } from './models.ts';
import type { DemoModel } from './models.ts';
import { root, vf } from './vf.ts';

const sums = join(root, 'examples/addition/addition.ts');
const edits = join(root, 'examples/file-edit/file-edit.ts');

const { values } = parseArgs({
  options: {
    provider: { type: 'string' },
    model: { type: 'string', short: 'm' },
    harness: { type: 'string' },
  },
});

process.exitCode = await demo();

/** @returns 0 when every run was scored */
async function demo(): Promise<number> {
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  const codes: number[] = [];
  codes.push(
    await withModel(sumsModel(stop.signal), 'Ten sums, one model call each', ({ name, url }) =>
      vf(
        'eval',
        sums,
        '-n',
        '10',
        '-r',
        '2',
        '-c',
        '4',
        '--sampling.max-tokens',
        '48',
        '-m',
        name,
        '--base-url',
        `${url}/v1`,
      ),
    ),
  );
  for (const harness of ['codex', 'claude-code']) {
    codes.push(
      await withModel(
        editModel(stop.signal),
        `Three files to edit, by ${harness}`,
        ({ name, url }) =>
          vf('eval', edits, '--harness', harness, '-m', name, '--base-url', `${url}/v1`),
      ),
    );
  }
  codes.push(await vf('show', 'last', 'notes.txt:1'));
  if (values.provider !== undefined) codes.push(await withOwnProvider(values.provider));
  else
    title(
      'With a key of your own: pnpm demo --provider openai -m MODEL (or anthropic, openrouter)',
    );
  return codes.find((code) => code !== 0) ?? 0;
}

async function withModel(
  starting: Promise<DemoModel>,
  what: string,
  play: (model: DemoModel) => Promise<number>,
): Promise<number> {
  const model = await starting;
  title(`${what}. Answering: ${model.who}`);
  try {
    return await play(model);
  } finally {
    await model.stop();
  }
}

function withOwnProvider(provider: string): Promise<number> {
  const harness = values.harness ?? (provider === 'anthropic' ? 'claude-code' : 'codex');
  const model = values.model ?? (provider === 'anthropic' ? 'claude-sonnet-4-5' : 'gpt-5.2');
  title(`The same files by ${harness}. Answering: ${model} of ${provider}`);
  return vf('eval', edits, '--harness', harness, '-m', model, '--provider', provider);
}

function title(text: string): void {
  process.stdout.write(`\n── ${text}\n`);
}
