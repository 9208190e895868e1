import { createHash } from 'node:crypto';
import type { Episode } from '@vf/core';
import { storedSummary, summaryRecord } from '@vf/run/summary';
import { RunWriter, readIndexStream } from '@vf/store';
import type { NewRun } from '@vf/store';
import { makeEpisode, makeTokenTrace } from '@vf/testkit';
import type { TokenNode } from '@vf/testkit';

export interface SyntheticRun {
  readonly dir: string;
  readonly runId: string;
  readonly tasks: number;
  readonly attempts: number;
  readonly harness: string;
  /** Share of the attempts that have a score, and of them those that solve their task. */
  readonly scored: number;
  readonly solved: number;
  /** Exact tokens: so many turns, each of so many tokens said and as many sampled. Without: one turn of text. */
  readonly tokens?: { readonly turns: number; readonly each: number };
  /** false: as a killed run leaves it, so that readers sum up the index. */
  readonly hasSummary: boolean;
}

/** A run folder of finished episodes, written by the store's own writer. */
export async function writeSyntheticRun(run: SyntheticRun): Promise<void> {
  const writer = await RunWriter.create(newRun(run));
  for (let task = 0; task < run.tasks; task++) {
    const episodes = Array.from({ length: run.attempts }, (_, i) => episodeOf(run, task, i + 1));
    await Promise.all(episodes.map((episode) => writer.append(episode)));
  }
  await writer.close();
  if (run.hasSummary) await writeSummary(run);
}

async function writeSummary(run: SyntheticRun): Promise<void> {
  const writer = await RunWriter.resume(run.dir);
  const about = { run: run.runId, dir: run.dir, status: 'complete', ...aboutOf(run) } as const;
  const summary = await storedSummary(about, readIndexStream(run.dir));
  await writer.writeSummary(summaryRecord(summary));
  await writer.close();
}

const attemptsOf = ({ tasks, attempts }: SyntheticRun): number => tasks * attempts;

const keyOf = (task: number): string => `task-${String(task).padStart(6, '0')}`;

const hashOf = (task: number): string => createHash('sha256').update(keyOf(task)).digest('hex');

function aboutOf(run: SyntheticRun) {
  return {
    taskset: 'synthetic',
    models: ['gpt-5.2'],
    harnesses: [{ id: run.harness, version: '1.0.0' }],
    runtimes: ['subprocess'],
    planned: { tasks: run.tasks, attempts: run.attempts, rollouts: attemptsOf(run) },
  };
}

function newRun(run: SyntheticRun): NewRun {
  const tasks = Object.fromEntries(
    Array.from({ length: run.tasks }, (_, task) => [keyOf(task), hashOf(task)]),
  );
  const measured = {
    'taskset.id': 'synthetic',
    model: 'gpt-5.2',
    'harness.id': run.harness,
    'harness.version': '1.0.0',
    'runtime.id': 'subprocess',
  };
  return {
    dir: run.dir,
    runId: run.runId,
    name: null,
    configToml: 'model = "gpt-5.2"\n',
    plan: {
      v: 1,
      vf: '0.1.0',
      run: { id: run.runId, name: null },
      created: new Date(0).toISOString(),
      about: aboutOf(run),
      measured,
      tasks,
      attempts: run.attempts,
    },
  };
}

function tokenNodes(
  salt: number,
  { turns, each }: NonNullable<SyntheticRun['tokens']>,
): TokenNode[] {
  const ids = (at: number): number[] =>
    Array.from({ length: each }, (_, token) => ((salt * 31 + at * 1009 + token) * 7919) % 150_000);
  return Array.from({ length: turns }, (_, turn): TokenNode[] => {
    const said = 2 * turn;
    return [
      [turn === 0 ? null : said - 1, turn === 0 ? 'u' : 't', 0, ids(said), '0'.repeat(each)],
      [said, 'a', 1, ids(said + 1), '1'.repeat(each)],
    ];
  }).flat();
}

/** Which attempts score and solve follows from the numbers alone, so that each bench reads the same run. */
function episodeOf(run: SyntheticRun, task: number, attempt: number): Episode {
  const draw = (salt: number): number =>
    ((Math.imul(task * 31 + attempt * 7 + salt, 2_654_435_761) >>> 0) % 10_007) / 10_007;
  const isScored = draw(1) < run.scored;
  const correct = isScored ? Number(draw(run.runId.charCodeAt(0)) < run.solved) : null;
  const about = {
    task: { key: keyOf(task), hash: hashOf(task), data: { name: `Task ${task}` } },
    rewards: { correct },
  };
  const made = makeEpisode({ ...about, attempt, id: `${run.runId}-${task}-${attempt}` });
  const episode: Episode =
    run.tokens === undefined
      ? made
      : {
          ...made,
          traces: [makeTokenTrace({ ...about, nodes: tokenNodes(task + attempt, run.tokens) })],
        };
  const [trace] = episode.traces;
  if (trace === undefined) return episode;
  trace.metrics['calls'] = Math.floor(draw(3) * 40);
  if (!isScored)
    trace.errors.push({
      type: 'provider/rate_limited',
      message: `slow down, request ${task}`,
      phase: 'agent',
    });
  return episode;
}
