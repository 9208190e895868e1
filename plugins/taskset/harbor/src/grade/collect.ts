import { howItEnded, shell, userOption } from '../box/shell.ts';
import type { TaskStep } from '../folder/harbor-task.ts';
import type { Ctx } from '../play/play.ts';

/** Runs a task's snapshot commands in order; one that fails is only noted. */
export async function collect(
  { runtime, signal, log }: Pick<Ctx, 'runtime' | 'signal' | 'log'>,
  hooks: TaskStep['collect'],
  imageUser: string | null,
): Promise<void> {
  for (const hook of hooks) {
    const ended = await runtime.run(shell(hook.command), {
      ...userOption(hook.user ?? imageUser),
      timeoutMs: hook.timeout_sec * 1000,
      signal,
    });
    if (ended.exitCode !== 0)
      log.warn('a collect hook failed', { command: hook.command, how: howItEnded(ended) });
  }
}
