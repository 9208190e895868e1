import { randomUUID } from 'node:crypto';
import type { AgentSession, HarnessCtx } from '@vf/core';
import { cliSession, linkSkills, npmProgram } from '@vf/harness-kit';
import type { Config } from './config.ts';
import { failureOf } from './evidence.ts';
import { programOf } from './program.ts';
import { filesOf } from './settings.ts';
import type { Dialect } from './settings.ts';

/** One `pi -p` a turn, all in one session; the prompt goes in by standard input. */
export async function openPi(ctx: HarnessCtx<Config, Dialect>): Promise<AgentSession> {
  const program = await npmProgram(programOf(ctx.config), ctx.runtime, ctx.signal);
  // Of the rollout: agents that share a box keep apart.
  const home = `${ctx.runtime.home}/.pi-${ctx.rolloutId}`;
  const session = randomUUID();
  await linkSkills(ctx.runtime, ctx.skills, `${home}/skills`, ctx.signal);
  return cliSession({
    ctx,
    files: Object.fromEntries(
      Object.entries(filesOf(ctx)).map(([name, text]) => [`${home}/${name}`, text]),
    ),
    command: (prompt) => ({
      argv: [program, ...flagsOf(ctx), '--session-id', session],
      env: { PI_CODING_AGENT_DIR: home, PI_OFFLINE: '1', PI_TELEMETRY: '0' },
      stdin: prompt,
    }),
    evidence: (result) => ({ session, failure: failureOf(result) }),
  });
}

function flagsOf({ config, model }: HarnessCtx<Config, Dialect>): string[] {
  return ['-p', '--mode', 'json', '--model', `vf/${model}`, '--thinking', config.thinking];
}
