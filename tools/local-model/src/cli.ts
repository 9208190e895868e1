import { parseArgs } from 'node:util';
import { findBackground, logFile, startBackground, stopBackground } from './background.ts';
import type { Background } from './background.ts';
import { localEngines } from './engines/engine-spec.ts';
import type { LocalEngine } from './engines/engine-spec.ts';
import { localTokenizer } from './local-tokenizer.ts';
import { reloadWeights } from './reload-weights.ts';
import { servable } from './serve-command.ts';
import { LocalModelUnavailable } from './unavailable.ts';

const help = `A real small model (SmolLM2-135M-Instruct) on this machine's CPU.

  node tools/local-model/src/cli.ts             start it in the background, print its base URL
  node tools/local-model/src/cli.ts --status    print the base URL, exit 0; exit 1 when it does not run
  node tools/local-model/src/cli.ts --stop      stop it
  node tools/local-model/src/cli.ts --engine vllm --reload FOLDER --version NAME
                                                give a running vllm or sglang new weights; turns tell NAME from then on

  --engine E  llama.cpp (default), vllm or sglang; each has a server of its own
  --port N    default: a free one        --slots N   requests at once, default 4
  --ctx N     tokens a request may hold, default 4096, of vllm and sglang 2048

Installed once below VF_CACHE_DIR (default ~/.cache/vf) with Python 3.10 to 3.13 (VF_PYTHON names one). vllm takes 6 GB
and Python 3.11 or later, sglang 8 GB, Python 3.12 and an x86-64 processor; both start in about a minute.`;

const number = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

async function main(signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', default: 'llama.cpp' },
      port: number,
      slots: number,
      ctx: number,
      reload: { type: 'string' },
      version: { type: 'string' },
      stop: flag,
      status: flag,
      help: { ...flag, short: 'h' },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const engine = engineOf(values.engine);
  if (values.stop) {
    console.error((await stopBackground(engine, signal)) ? 'stopped' : 'it was not running');
    return 0;
  }
  if (values.status) {
    const running = await findBackground(engine, signal);
    if (running) console.log(running.url);
    else console.error(`no local model runs (${engine}); without --status one is started`);
    return running ? 0 : 1;
  }
  if (values.reload !== undefined || values.version !== undefined) {
    await reload(engine, values, signal);
    return 0;
  }
  const wanted = { port: values.port, slots: values.slots, ctx: values.ctx };
  const server = await startBackground(engine, numbers(wanted), signal);
  console.error(
    `${server.model} on ${engine} is ready (pid ${server.pid}, log ${logFile(engine)})`,
  );
  await tellUse(server, engine, signal);
  console.log(server.url);
  return 0;
}

async function reload(
  engine: LocalEngine,
  { reload: folder, version }: { readonly reload?: string; readonly version?: string },
  signal: AbortSignal,
): Promise<void> {
  if (folder === undefined || version === undefined)
    throw new Error('--reload FOLDER and --version NAME go together');
  const running = await findBackground(engine, signal);
  if (!running) throw new Error(`no local model runs (${engine})`);
  await reloadWeights({ url: running.url, engine }, { folder, version, signal });
  console.error(`${running.model} on ${engine} samples with ${version} now`);
}

/** What a trainer needs of it, and the flags that sample exact tokens. */
async function tellUse(
  { url, model }: Background,
  engine: LocalEngine,
  signal: AbortSignal,
): Promise<void> {
  const { checkpoint } = await servable(engine, signal);
  const tokenizer = await localTokenizer(signal);
  const flags = [
    `-m ${model} --base-url ${url} --client.type train --client.engine ${engine}`,
    ...(engine === 'vllm' ? ['--client.logprobs processed'] : []),
    `--client.renderer smollm2 --client.tokenizer ${tokenizer}`,
  ];
  console.error(`its tokenizer: ${tokenizer}`);
  if (checkpoint !== null) console.error(`its weights, to train from: ${checkpoint}`);
  console.error(`exact tokens: vf eval TASKSET ${flags.join(' ')}`);
}

function engineOf(name: string): LocalEngine {
  const engine = localEngines.find((id) => id === name);
  if (engine !== undefined) return engine;
  throw new Error(`--engine takes ${localEngines.join(', ')}, not ${name}`);
}

/** Leaves out what was not given; a value that is no positive whole number is refused. */
function numbers(given: Record<string, string | undefined>): Record<string, number> {
  const entries = Object.entries(given).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(
    entries.map(([name, text]) => {
      if (!/^[1-9]\d*$/.test(text))
        throw new Error(`--${name} takes a whole number above 0, not ${text}`);
      return [name, Number(text)];
    }),
  );
}

const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort(new Error('interrupted')));
process.once('SIGTERM', () => stopping.abort(new Error('terminated')));
try {
  process.exitCode = await main(stopping.signal);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (LocalModelUnavailable.isInstance(error)) console.error(`fix: ${error.hint}`);
  process.exitCode = 2;
}
