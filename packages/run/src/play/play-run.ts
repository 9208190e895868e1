import { hostname } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { Interception, ToolHost } from '@vf/core';
import { playEpisode } from '@vf/rollout';
import type { EpisodePlan, Services, SideModels } from '@vf/rollout';
import type { IndexEntry, RunWriter } from '@vf/store';
import type { RunPlan } from '../plan/run-plan.ts';
import type { Secrets } from '../secrets.ts';
import { systemClock } from '../system-clock.ts';
import { diskReason } from './disk-reason.ts';
import type { RunEvent, RunStatus } from './events.ts';
import { exitCodeOf, gateFailure } from './exit-code.ts';
import { GateKeeper } from './gate-keeper.ts';
import type { StopReason } from './gate-keeper.ts';
import { jobName, jobsOf } from './job.ts';
import type { Job } from './job.ts';
import { maskErrors } from './mask-errors.ts';
import { UnderwayBoard } from './progress.ts';
import type { Progress, Underway, Waiting } from './progress.ts';
import { schedule } from './schedule.ts';
import { SignalFan } from './signal-fan.ts';
import { keepImages } from './keep-images.ts';
import { RunBook } from './run-book.ts';
import type { RunSummary } from './summary.ts';
import { summaryRecord } from './summary-record.ts';
import { StandingBoxes } from './tracked-boxes.ts';

export interface PlayOptions {
  readonly plan: RunPlan;
  readonly run: { readonly id: string; readonly name?: string };
  readonly writer: RunWriter;
  /** Episodes of earlier sessions that stay as they are. */
  readonly done: readonly IndexEntry[];
  /** What they used, and those that are played again. */
  readonly spent?: { readonly cost: number; readonly tokens: number };
  readonly interception: Interception;
  readonly toolHost: ToolHost | null;
  readonly sideModels: SideModels;
  readonly secrets: Secrets;
  readonly emit: (event: RunEvent) => void;
  /** Fires on SIGINT: nothing new begins, rollouts under way are cancelled. */
  readonly interrupt: AbortSignal;
}

export interface RunResult {
  readonly status: RunStatus;
  readonly reason: StopReason | null;
  readonly exitCode: number;
  readonly summary: RunSummary;
}

/** One session of a run: plays what is missing, keeps every episode, and sums up. */
export class RunSession {
  readonly #options: PlayOptions;
  readonly #startedMs = Date.now();
  readonly #board = new UnderwayBoard();
  readonly #boxes = new StandingBoxes();
  readonly #gate: GateKeeper;
  readonly #book: RunBook;
  readonly #stop = new AbortController();
  readonly #signals: SignalFan;
  readonly #roles: EpisodePlan['roles'];
  #reason: StopReason | null = null;

  constructor(options: PlayOptions) {
    this.#options = options;
    const { plan, interrupt } = options;
    this.#signals = new SignalFan(interrupt);
    this.#roles = this.#watchedRoles();
    this.#book = new RunBook(options);
    this.#gate = new GateKeeper(plan.config, this.#startedMs, options.spent);
  }

  /** Boxes that stand or are being made. */
  get boxes(): number {
    return this.#boxes.count;
  }

  /** Boxes that stay for a person until `vf cleanup`. */
  get keptBoxes(): number {
    return this.#boxes.kept;
  }

  /** Frees every box at once; for the moment before the process must go. @returns how many are left; null: not known */
  cleanup(): number | null {
    return this.#boxes.cleanup();
  }

  /** @throws VfError store/* when the run cannot be written; then nothing more is started */
  async play(): Promise<RunResult> {
    const { plan, interrupt, emit, done } = this.#options;
    const { config } = plan;
    emit({ type: 'run.started', pid: process.pid, host, done: done.length });
    const jobs = jobsOf(plan.tasks, config.rolloutsPerExample, (task, attempt) =>
      this.#book.has({ task, attempt }),
    );
    const stop = AbortSignal.any([interrupt, this.#stop.signal]);
    if (!this.#book.isWhole) this.#stopFor(this.#gate.overBudget(Date.now()));
    const budgetClock = setInterval(() => this.#stopFor(this.#gate.overBudget(Date.now())), 1_000);
    try {
      await schedule(jobs, config.maxConcurrent, stop, (job) =>
        this.#signals.run((signal) => this.#play(job, signal)),
      );
    } catch (error) {
      this.#reason = diskReason(error);
    } finally {
      clearInterval(budgetClock);
    }
    return this.#finish();
  }

  /** What is under way, for a live view; cheap enough for four times a second. */
  snapshot(): {
    readonly progress: Progress;
    readonly slowest: readonly Underway[];
    readonly waiting: Waiting;
  } {
    const board = this.#board;
    return { progress: this.#progress(), slowest: board.slowest(3), waiting: board.waiting() };
  }

  async #play(job: Job, signal: AbortSignal): Promise<void> {
    const { plan, interrupt, run, secrets } = this.#options;
    const id = randomUUID();
    const episode = await playEpisode({
      id,
      attempt: job.attempt,
      plan: { ...plan.episode, run, roles: this.#roles },
      task: job.task,
      services: this.#services(id, job),
      signal,
    });
    // What was cancelled is not a result; its turns are in the journal and resume plays it again.
    if (interrupt.aborted && !episode.ok) return;
    this.#finished(job, await this.#book.keep(job, maskErrors(episode, secrets), signal));
  }

  #finished(job: Job, entry: IndexEntry): void {
    const { emit } = this.#options;
    emit({
      type: 'rollout.finished',
      episode: entry.episode,
      task: job.task.key,
      attempt: job.attempt,
      reward: entry.reward,
      rewards: entry.rewards,
      stop: entry.stop,
      error: entry.error === null ? null : shownError(entry.error),
      usage: {
        inputTokens: entry.inputTokens,
        outputTokens: entry.outputTokens,
        cachedInputTokens: entry.cachedInputTokens,
      },
      cost: entry.cost,
      timing: {
        start: entry.start,
        end: entry.end,
        agentSeconds: entry.agentSeconds,
        modelSeconds: entry.modelSeconds,
      },
      offset: entry.offset,
      length: entry.length,
    });
    const tokens = entry.inputTokens + entry.outputTokens;
    this.#stopFor(
      this.#gate.finished(
        {
          errorCode: entry.error?.code ?? null,
          message: entry.error?.message ?? null,
          phase: entry.error?.phase ?? null,
          at: entry.error?.at ?? null,
          cost: entry.cost,
          tokens,
        },
        Date.now(),
      ),
    );
  }

  #stopFor(reason: StopReason | null): void {
    if (reason === null || this.#reason !== null) return;
    this.#reason = reason;
    this.#stop.abort(reason);
  }

  #watchedRoles(): EpisodePlan['roles'] {
    const roles = this.#options.plan.episode.roles;
    return Object.fromEntries(
      Object.entries(roles).map(([name, role]) => [
        name,
        { ...role, runtime: { ...role.runtime, plugin: this.#boxes.watch(role.runtime.plugin) } },
      ]),
    );
  }

  #services(episode: string, job: Job): Services {
    const { interception, toolHost, sideModels, secrets, emit, writer, run } = this.#options;
    const name = jobName(job);
    const { key: task } = job.task;
    const log = writer.log(episode);
    return {
      interception,
      toolHost,
      sideModels,
      clock: systemClock,
      random: Math.random,
      newId: () => randomUUID().replaceAll('-', ''),
      log: () => log,
      labels: (rollout) => ({
        run: run.id,
        rollout,
        host,
        pid: process.pid,
        started: this.#startedMs,
      }),
      secret: (variable) => secrets.take(variable),
      artifactDir: (rollout) => join(writer.dir, 'artifacts', episode, rollout),
      observer: {
        started: (trace) => writer.journal(trace, { episode, attempt: job.attempt }),
        phase: (trace, phase) => {
          this.#board.enter(trace, name, phase, Date.now());
          emit({ type: 'rollout.phase', episode, task, attempt: job.attempt, phase });
        },
        asked: (trace) => this.#board.asked(trace, Date.now()),
        call: (trace, call) => {
          this.#board.called(trace, call, Date.now());
          writer.journalCall(trace);
        },
        retry: (trace, error, attempt, waitMs) => {
          this.#board.leave(trace);
          emit({ type: 'rollout.retry', episode, code: error.code, attempt, waitMs });
        },
      },
    };
  }

  #progress(): Progress {
    const { inputTokens, cachedInputTokens, outputTokens, cost, unpriced, errors, retries } =
      this.#book.ledger;
    const now = Date.now();
    const { scored, unscored, reward } = this.#book.standing(now);
    const { done, total } = this.#book;
    const elapsedSeconds = (now - this.#startedMs) / 1000;
    const played = done - this.#options.done.length;
    return {
      done,
      total,
      scored,
      unscored,
      retried: retries,
      phases: this.#board.phases,
      reward: reward.mean,
      rewardInterval: reward.interval,
      inputTokens,
      cachedInputTokens,
      outputTokens,
      cost,
      unpriced,
      elapsedSeconds,
      etaSeconds: played === 0 ? null : (elapsedSeconds / played) * (total - done),
      errors,
    };
  }

  async #finish(): Promise<RunResult> {
    const { emit, plan } = this.#options;
    if (this.#reason?.code !== 'disk') await this.#writeEnd();
    const status = this.#status();
    const summary = this.#summary(status);
    const { gateFailed = null } = summary;
    const exitCode = exitCodeOf(status, summary, plan.config.gate);
    emit({
      type: 'run.finished',
      status,
      reason: this.#reason?.message ?? gateFailed,
      exitCode,
      summary,
    });
    return { status, reason: this.#reason, exitCode, summary };
  }

  /** Episodes are safe by now: what cannot be written beside them stops the run as a full disk does. */
  async #writeEnd(): Promise<void> {
    const { writer, plan } = this.#options;
    try {
      await keepImages({ ...plan, roles: Object.values(plan.episode.roles) }, writer);
      // Last: what fails before it makes another status of the run.
      await writer.writeSummary(summaryRecord(this.#summary(this.#status())));
    } catch (error) {
      this.#reason = diskReason(error);
    }
  }

  #status(): RunStatus {
    const { isWhole } = this.#book;
    if (this.#reason?.code === 'disk') return 'stopped';
    if (isWhole) return 'complete';
    if (this.#options.interrupt.aborted) return 'interrupted';
    return this.#reason === null ? 'incomplete' : 'stopped';
  }

  #summary(status: RunStatus): RunSummary {
    const figures = this.#book.summary(status);
    const usedUp = status === 'stopped' ? this.#reason?.budget : undefined;
    const gateFailed = gateFailure(status, figures, this.#options.plan.config.gate);
    return {
      ...figures,
      ...(usedUp === undefined ? {} : { usedUp }),
      ...(gateFailed === null ? {} : { gateFailed }),
    };
  }
}

const host = hostname();

function shownError({ code, message, at }: NonNullable<IndexEntry['error']>) {
  return { code, message, ...(at === undefined ? {} : { at }) };
}
