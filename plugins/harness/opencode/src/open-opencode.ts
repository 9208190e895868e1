import type { AgentSession, HarnessCtx } from '@vf/core';
import { cliSession, linkSkills, npmProgram } from '@vf/harness-kit';
import type { Config } from './config.ts';
import { evidenceOf } from './evidence.ts';
import { programOf } from './program.ts';
import { settingsOf } from './settings.ts';
import type { Dialect } from './settings.ts';

/** One `opencode run` a turn; the prompt goes in by standard input, since an argument holds 128 KiB at most. */
export async function openOpencode(ctx: HarnessCtx<Config, Dialect>): Promise<AgentSession> {
  const program = await npmProgram(programOf(ctx.config), ctx.runtime, ctx.signal);
  // Of the rollout: agents that share a box keep apart.
  const home = `${ctx.runtime.home}/.opencode-${ctx.rolloutId}`;
  const promptFile = `${home}/instructions.md`;
  await linkSkills(ctx.runtime, ctx.skills, `${home}/config/opencode/skills`, ctx.signal);
  return cliSession({
    ctx,
    files: {
      [`${home}/config/opencode/opencode.json`]: JSON.stringify(settingsOf(ctx, promptFile)),
      ...(ctx.systemPrompt === null ? {} : { [promptFile]: ctx.systemPrompt }),
    },
    command: (prompt, session) => ({
      argv: [program, ...flags, ...(session === null ? titleOff : ['--session', session])],
      env: environmentOf(home),
      stdin: prompt,
    }),
    evidence: evidenceOf,
  });
}

// Without --auto the first call that touches a path outside the workdir ends the run, with exit code 0.
const flags = ['run', '--format', 'json', '--auto'];

/** A title that is given is not asked for in a model call of its own. */
const titleOff = ['--title', 'rollout'];

function environmentOf(home: string): Record<string, string> {
  return {
    XDG_CONFIG_HOME: `${home}/config`,
    XDG_DATA_HOME: `${home}/data`,
    XDG_STATE_HOME: `${home}/state`,
    XDG_CACHE_HOME: `${home}/cache`,
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    // Else it installs a package of its own into each config folder.
    npm_config_offline: 'true',
  };
}
