import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import { VfError } from '@vf/core/errors';
import { engineError, isEngineGone, statusOf } from '../engine/engine-error.ts';
import { outputOf } from './execution.ts';
import { engineWords } from './refusals.ts';

// cgroup 2, cgroup 1; both may be there.
const counters = 'cat /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control';

/** Of runc and crun: the program's own fault. Whatever else is said may come of a box that dies under the call. */
const ofTheProgram =
  /: exec: "|exec format error|executable file|chdir to cwd|unable to find (?:user|group)|permission denied/i;
const endingPauseMs = 100;
const endingLooks = 20;

/** Whether a container lives, and what it died of. */
export class Life {
  readonly container: Docker.Container;
  readonly #name: string;
  #oomKills = 0;

  constructor(container: Docker.Container, name: string) {
    this.container = container;
    this.#name = name;
  }

  async isRunning(signal?: AbortSignal): Promise<boolean> {
    try {
      const { State } = await this.container.inspect(
        signal === undefined ? {} : { abortSignal: signal },
      );
      return State.Running && !State.Paused;
    } catch (error) {
      if (statusOf(error) === 404 || isEngineGone(error)) return false;
      throw error;
    }
  }

  /** Does it live after the engine refused a program with these words? Of one that is just ending that shows a moment later. */
  async survives(words: string): Promise<boolean> {
    const looks = ofTheProgram.test(words) ? 1 : endingLooks;
    for (let look = 1; await this.isRunning().catch(() => false); look++) {
      if (look === looks) return true;
      await sleep(endingPauseMs);
    }
    return false;
  }

  /**
   * Has the kernel killed a process of the box for want of memory since this was last asked? Told by the counter of
   * the container's memory group: the engine notes only the end of the main program.
   * @throws VfError when it was the box itself that died
   */
  async wasOutOfMemory(): Promise<boolean> {
    if (!(await this.isRunning())) throw await this.goneError(null);
    const asked = await outputOf(this.container, { argv: ['sh', '-c', counters], user: '0' });
    const words = engineWords(asked.exitCode, asked);
    if (words !== null && !(await this.survives(words))) throw await this.goneError(words);
    const kills = [...asked.stdout.matchAll(/^oom_kill (\d+)$/gm)].map(([, count]) =>
      Number(count),
    );
    const now = Math.max(0, ...kills);
    const grown = now > this.#oomKills;
    this.#oomKills = now;
    return grown;
  }

  /** Of a call that the engine refused: the box may be gone, else it is the call's own failure. */
  async failure(cause: unknown): Promise<VfError> {
    const isRunning = await this.isRunning().catch(() => false);
    return isRunning
      ? engineError(cause, 'runtime/exec_failed', this.#name)
      : this.goneError(cause);
  }

  /** Why nothing can be done in the box any more. */
  async goneError(cause: unknown): Promise<VfError> {
    try {
      const { State } = await this.container.inspect();
      if (State.OOMKilled) {
        return new VfError('runtime/out_of_memory', `${this.#name} was killed for want of memory`, {
          hint: 'give it more: --runtime.memory_mb, or resources of the task',
          retryable: false,
        });
      }
      if (State.Status === 'exited') {
        // Who ended it cannot be told: a new try for nothing would be there for any agent that wants one.
        const message = `${this.#name} ended with exit code ${State.ExitCode}; a program in it may have ended it, the agent’s too`;
        return new VfError('runtime/box_gone', message, { cause, retryable: false });
      }
      const state = `it is ${State.Status}, exit code ${State.ExitCode}`;
      return new VfError('runtime/box_gone', `${this.#name} died: ${state}`, { cause });
    } catch (error) {
      if (statusOf(error) !== 404) return engineError(error, 'runtime/box_gone', this.#name);
      return new VfError('runtime/box_gone', `${this.#name} was removed`, { cause });
    }
  }
}
