import type { AgentSession, HarnessCtx } from '@vf/core';
import { allMcpServers, cliSession, linkSkills, npmProgram } from '@vf/harness-kit';
import type { CliCommand } from '@vf/harness-kit';
import type { Config } from './config.ts';
import { environmentOf } from './environment.ts';
import type { Dialect } from './environment.ts';
import { sessionOf } from './evidence.ts';
import { agentFile, mcpFile } from './files.ts';
import { programOf } from './program.ts';

/** One `kimi -p` a turn. */
export async function openKimi(ctx: HarnessCtx<Config, Dialect>): Promise<AgentSession> {
  const { config, runtime, systemPrompt } = ctx;
  const mcp = allMcpServers(ctx);
  const program = await npmProgram(programOf(config), runtime, ctx.signal);
  // Of the rollout: agents that share a box keep apart.
  const home = `${runtime.home}/.kimi-${ctx.rolloutId}`;
  const agent = `${home}/agent.md`;
  await linkSkills(runtime, ctx.skills, `${home}/skills`, ctx.signal);
  return cliSession({
    ctx,
    files: {
      ...(systemPrompt === null ? {} : { [agent]: agentFile(systemPrompt, config) }),
      ...(mcp.length === 0 ? {} : { [`${home}/mcp.json`]: mcpFile(mcp) }),
    },
    command(prompt, session) {
      const { words, files } = promptOf(prompt, `${home}/prompt.md`);
      // The system prompt is part of the session that is gone on with.
      const first = systemPrompt === null ? [] : ['--agent-file', agent];
      const conversation = session === null ? first : ['--session', session];
      return {
        argv: [program, ...conversation, '--output-format', 'stream-json', '-p', words],
        env: environmentOf(ctx, home),
        files,
      };
    },
    // Errors are on standard error alone, with exit code 1.
    evidence: (result) => ({ session: sessionOf(result), failure: null }),
  });
}

/** Linux takes 128 KiB in one argument, and Kimi Code reads no prompt from elsewhere. */
const maxArgument = 120_000;

function promptOf(
  prompt: string,
  file: string,
): { readonly words: string } & Required<Pick<CliCommand, 'files'>> {
  if (Buffer.byteLength(prompt) <= maxArgument) return { words: prompt, files: {} };
  return {
    words: `Your task is in the file ${file}, because it is long. Read all of that file, then do what it says.`,
    files: { [file]: prompt },
  };
}
