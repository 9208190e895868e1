import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { byteTokenizerJson } from '../byte-tokenizer.ts';
import { answerSums } from './answer-sums.ts';
import { fitting } from './any-agent.ts';
import { provideOwnImports } from './own-imports.ts';
import type { Script, ScriptFunction, Step } from './script.ts';
import { startScriptedModel } from './server.ts';
import type { ScriptedModel } from './server.ts';
import { shellCall } from './shell-call.ts';
import { solveWithShell } from './solve-with-shell.ts';
import { deliver, say, stepsOf } from './steps.ts';

const help = `vf-scripted-model: a model endpoint that answers by script, until it is killed

  --solve COMMAND   any agent with a shell runs COMMAND, then ends with a closing text
  --say TEXT        other calls answer TEXT (default: sums like "2 + 3" are answered)
  --script FILE     a module whose default export is the script; instead of the two above.
                    It finds @vf/testkit in any folder
  --delay MS        before each reply
  --tokenizer DIR   it is an engine too, for client.type = "train": engine "llama.cpp", renderer "qwen3".
                    Its tokenizer, a token for each byte, is written into DIR
  --model NAME      the model's name; "scripted" is put before it (default: scripted)
  --port PORT, --host HOST

The first line it prints is its URL, without /v1.
`;

const options = {
  solve: { type: 'string' },
  say: { type: 'string' },
  script: { type: 'string' },
  tokenizer: { type: 'string' },
  delay: { type: 'string', default: '0' },
  model: { type: 'string', default: 'scripted' },
  port: { type: 'string', default: '0' },
  host: { type: 'string', default: '127.0.0.1' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

type Values = ReturnType<typeof parsed>;

/**
 * The command `vf-scripted-model`: serves until SIGINT or SIGTERM. The model's name always says that it is scripted.
 * @returns the exit code: 0, or 2 for a wrong command line, a script that is none, or a port that is taken
 */
export async function scriptedModelCommand(args: readonly string[]): Promise<number> {
  let values: Values;
  try {
    values = parsed(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    return 2;
  }
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  let model: ScriptedModel;
  let engine = '';
  try {
    if (values.tokenizer !== undefined) engine = await writeTokenizer(values.tokenizer);
    model = await startScriptedModel({
      script: await scriptOf(values),
      model: values.model.startsWith('scripted') ? values.model : `scripted-${values.model}`,
      port: Number(values.port),
      host: values.host,
      record: false,
    });
  } catch (error) {
    process.stderr.write(`vf-scripted-model: ${reasonOf(error, values)}\n`);
    return 2;
  }
  process.stdout.write(`${model.url}\nmodel ${model.model}: replies are scripted\n${engine}`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await model.close();
  return 0;
}

function parsed(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options, strict: true });
  for (const name of ['delay', 'port'] as const) {
    if (!/^\d+$/.test(values[name])) throw new TypeError(`--${name} takes a number`);
  }
  return values;
}

/** @returns what to say of the engine */
async function writeTokenizer(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(byteTokenizerJson()));
  return `engine llama.cpp, renderer qwen3, tokenizer ${resolve(folder)}\n`;
}

function reasonOf(error: unknown, { host, port }: Values): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!message.includes('EADDRINUSE')) return message;
  return `${host}:${port} is in use: end what serves there, or give another --port (0 finds a free one)`;
}

async function scriptOf(values: Values): Promise<Script> {
  if (values.script !== undefined) {
    provideOwnImports();
    const { href } = pathToFileURL(resolve(values.script));
    const { default: script } = (await import(href)) as { readonly default?: Script };
    if (typeof script === 'function' || (typeof script === 'object' && script !== null))
      return script;
    throw new TypeError(`${values.script} has no default export that is a function or a list`);
  }
  const delay = deliver({ headDelayMs: Number(values.delay) });
  const decide = decider(values);
  return async (request): Promise<Step[]> => [...stepsOf(await decide(request)), delay];
}

function decider(values: Values): ScriptFunction {
  const talk: ScriptFunction =
    values.say === undefined ? answerSums() : () => say(values.say ?? '');
  const { solve } = values;
  if (solve === undefined) return talk;
  const work = solveWithShell(solve, values.say);
  return fitting((request) =>
    shellCall(request.tools, solve) === null ? talk(request) : work(request),
  );
}
