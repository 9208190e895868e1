import type { AgentSession, HarnessCtx } from '@vf/core';
import { cliSession, pythonProgram } from '@vf/harness-kit';
import type { Config } from './config.ts';
import { judged, readEnding } from './evidence.ts';
import { programOf } from './program.ts';
import { environmentOf, settingsOf } from './settings.ts';
import type { Dialect } from './settings.ts';
import { systemTemplateOf } from './system-template.ts';

/** One `mini` a turn; each is a conversation of its own, since it cannot go on with one. */
export async function openMini(ctx: HarnessCtx<Config, Dialect>): Promise<AgentSession> {
  const { config, runtime, signal } = ctx;
  const paths = await pythonProgram(programOf(config), runtime, signal);
  // Of the rollout: agents that share a box keep apart.
  const home = `${runtime.home}/.mini-${ctx.rolloutId}`;
  const trajectory = `${home}/trajectory.json`;
  const settings = `${home}/turn.yaml`;
  const systemTemplate = await systemTemplateOf(ctx, paths.python);
  const session = await cliSession({
    ctx,
    command: (prompt) => ({
      argv: [paths.program, '-c', config.config, '-c', settings, '-o', trajectory],
      env: environmentOf(ctx, home),
      // The task stands in a file too: an argument holds 128 KiB at most.
      files: {
        [settings]: JSON.stringify(settingsOf(ctx, { task: prompt, trajectory, systemTemplate })),
      },
    }),
    // What it prints is for people; its record says how it ended.
    evidence: () => ({ session: null, failure: null }),
  });
  return {
    close: session.close,
    async turn(prompt, turnSignal) {
      await runtime.run(['rm', '-f', trajectory], { signal: turnSignal });
      const segment = await session.turn(prompt, turnSignal);
      return judged(segment, await readEnding(runtime, trajectory, turnSignal));
    },
  };
}
