import type { AgentSession, HarnessCtx } from '@vf/core';
import { cliSession, mcpServersJson } from '@vf/harness-kit';
import type { CliCommand } from '@vf/harness-kit';
import type { Config } from './config.ts';
import { copyInto } from './copies.ts';
import { fill, mentions } from './placeholders.ts';
import { textsOf } from './texts.ts';

/** One run of the user's program a turn, with a home of the rollout's own. */
export async function openCommand(ctx: HarnessCtx<Config>): Promise<AgentSession> {
  const { config, runtime, signal } = ctx;
  // Of the rollout: agents that share a box keep apart.
  const home = `${runtime.home}/.${config.name}-${ctx.rolloutId}`;
  const values = valuesOf(ctx, home);
  const standing = [...Object.values(config.files), ...Object.values(ctx.env)];
  await runtime.run(['mkdir', '-p', home], { signal });
  await copyInto(home, ctx);
  return cliSession({
    // A home that the user sets for the agent wins.
    ctx: { ...ctx, env: { HOME: home, ...filled(ctx.env, values) } },
    files: {
      ...filesFor(ctx, values),
      ...Object.fromEntries(
        Object.entries(config.files).map(([path, text]) => [`${home}/${path}`, fill(text, values)]),
      ),
    },
    command(prompt, session): CliCommand {
      const texts = session === null ? config.run : (config.continue ?? config.run);
      const asFile = [...texts, ...standing].some((text) => mentions(text, 'prompt_file'));
      const isNamed = asFile || texts.some((text) => mentions(text, 'prompt'));
      return {
        argv: texts.map((text) => fill(text, { ...values, prompt })),
        stdin: isNamed ? '' : prompt,
        files: asFile ? { [values.prompt_file]: prompt } : {},
      };
    },
    // What it prints means nothing to us: the exit code, and what it asked its model, have to do.
    evidence: ({ exitCode }) => ({ session: exitCode === 0 ? 'same' : null, failure: null }),
  });
}

type Values = ReturnType<typeof valuesOf>;

function valuesOf({ endpoint, model, runtime }: HarnessCtx<Config>, home: string) {
  return {
    prompt_file: `${home}/.vf-prompt.md`,
    system_prompt_file: `${home}/.vf-system-prompt.md`,
    mcp_file: `${home}/.vf-mcp.json`,
    model,
    home,
    workdir: runtime.workdir,
    base_url: `${endpoint.url}/v1`,
    origin: endpoint.url,
    api_key: endpoint.bearer,
  };
}

function filesFor(ctx: HarnessCtx<Config>, values: Values): Record<string, string> {
  const { config, env, systemPrompt } = ctx;
  const texts = textsOf({ config, env });
  const has = (name: 'system_prompt_file' | 'mcp_file'): boolean =>
    texts.some((text) => mentions(text, name));
  return {
    ...(has('system_prompt_file') ? { [values.system_prompt_file]: systemPrompt ?? '' } : {}),
    ...(has('mcp_file') ? { [values.mcp_file]: mcpServersJson(ctx) } : {}),
  };
}

function filled(env: Readonly<Record<string, string>>, values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, text]) => [name, fill(text, values)]));
}
