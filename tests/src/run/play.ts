import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Episode, PluginKind, Taskset, Trace } from '@vf/core';
import { PluginHost } from '@vf/plugin-host';
import type { LoadedPlugin } from '@vf/plugin-host';
import {
  RunSession,
  Secrets,
  createRun,
  planRun,
  rescoreRun,
  resolveConfig,
  startServices,
} from '@vf/run';
import type { RunEvent, RunResult } from '@vf/run';
import { episodes } from '@vf/store';
import type { ScriptedModel } from '@vf/testkit';
import { onTestFinished } from 'vitest';

const tests = resolve(import.meta.dirname, '../..');

/** A run that was played to its end, and what it left on disk. */
export interface Played {
  readonly result: RunResult;
  readonly dir: string;
  readonly events: readonly RunEvent[];
  readonly episodes: readonly Episode[];
  /** The first trace of a task's first attempt. @throws when there is none */
  trace(key: string): Trace;
}

export interface PlayOptions {
  readonly taskset: Taskset;
  readonly model: Pick<ScriptedModel, 'url' | 'model'>;
  /** `harness.id`, `limits.max_turns`, … as on the command line. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Variables that may hold keys. */
  readonly env?: Readonly<Record<string, string>>;
  readonly interrupt?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
  /** What cleans up after it; default: the test that is running. */
  readonly cleanUp?: (work: () => Promise<void>) => void;
}

/** Scores the traces of a run again, as the CLI does. */
export async function rescore(options: PlayOptions, parentDir: string): Promise<Played> {
  const { signal } = new AbortController();
  const { resolved, secrets, host, folder } = await stage(options);
  const sourceOf = (path: string) => resolved.sourceOf(path);
  const { config } = resolved;
  const plan = await planRun({ config, host, secrets, sourceOf, asksModel: false }, signal);
  const about = { version: '0.0.0', cwd: folder, include: [], parent: 'parent' };
  const opened = await createRun({ plan, resolved, secrets, ...about });
  try {
    const result = await rescoreRun({ parentDir, plan, opened, secrets }, signal);
    return await played(result, opened.writer.dir, []);
  } finally {
    await opened.writer.close();
    await plan.close();
  }
}

/** Plays a run as the CLI does, but in this process: config, plan, folder, servers, session. */
export async function play(options: PlayOptions): Promise<Played> {
  const { interrupt = new AbortController().signal } = options;
  const { resolved, secrets, host, folder } = await stage(options);
  const { config } = resolved;
  const sourceOf = (path: string) => resolved.sourceOf(path);
  const plan = await planRun({ config, host, secrets, sourceOf }, interrupt);
  const version = '0.0.0';
  const opened = await createRun({ plan, resolved, secrets, version, cwd: folder, include: [] });
  const services = await startServices(plan, opened, secrets);
  const events: RunEvent[] = [];
  const emit = (event: RunEvent) => {
    events.push(event);
    options.onEvent?.(event);
  };
  const session = new RunSession({ plan, ...opened, ...services, secrets, emit, interrupt });
  try {
    return await played(await session.play(), opened.writer.dir, events);
  } finally {
    await services.close();
    await opened.writer.close();
    await plan.close();
  }
}

async function stage(options: PlayOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'vf-run-'));
  (options.cleanUp ?? onTestFinished)(() => rm(folder, { recursive: true, force: true }));
  const resolved = await resolveConfig({
    cwd: folder,
    files: [],
    userFile: null,
    flags: flagsOf({
      'taskset.id': inline,
      model: options.model.model,
      'client.base_url': `${options.model.url}/v1`,
      ...options.config,
    }),
  });
  const secrets = new Secrets(options.env ?? {});
  return { folder, resolved, secrets, host: new TestHost(options.taskset) };
}

async function played(
  result: RunResult,
  dir: string,
  events: readonly RunEvent[],
): Promise<Played> {
  const all = await Array.fromAsync(episodes(dir));
  return { result, dir, events, episodes: all, trace: (key) => firstTrace(all, key) };
}

const inline = 'inline';

/** Plugins as a project with this package's dependencies has them, and the test's own taskset. */
class TestHost extends PluginHost {
  readonly #taskset: Taskset;

  constructor(taskset: Taskset) {
    super({ cwd: tests, vfDir: resolve(tests, '../apps/eval'), projectDir: tests });
    this.#taskset = taskset;
  }

  override async load(kind: PluginKind, id: string, signal: AbortSignal): Promise<LoadedPlugin> {
    if (kind !== 'taskset' || id !== inline) return super.load(kind, id, signal);
    return { kind, id, package: null, version: null, value: this.#taskset };
  }
}

function flagsOf(config: Readonly<Record<string, unknown>>) {
  return Object.entries(config).map(([path, value]) => ({
    flag: `--${path}`,
    path: path.split('.'),
    value,
    text: String(value),
  }));
}

function firstTrace(all: readonly Episode[], key: string): Trace {
  const trace = all.find(({ task, attempt }) => task.key === key && attempt === 1)?.traces[0];
  if (trace === undefined) throw new Error(`the run has no trace of ${key}`);
  return trace;
}
