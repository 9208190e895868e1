import type { AgentSession, HarnessCtx } from '@vf/core';
import type { HostDialect } from '@vf/harness-kit';
import type { Config } from './config.ts';
import { describeSkills } from './skills.ts';
import { Terminus } from './terminus.ts';
import { installTmux } from './terminal/tmux.ts';

/** A conversation and a terminal; the terminal starts with the first turn. */
export async function openTerminus(ctx: HarnessCtx<Config, HostDialect>): Promise<AgentSession> {
  const tmux = await installTmux(ctx.runtime, ctx.signal);
  const skills = await describeSkills(ctx.runtime, ctx.skills, ctx.signal);
  const terminus = new Terminus(ctx, tmux, skills);
  return {
    turn: (prompt, signal) => terminus.turn(prompt, signal),
    close: () => terminus.close(),
  };
}
