import { readFile } from 'node:fs/promises';
import { defineHarness } from '@vf/core';
import { cliSession } from '@vf/harness-kit';

const source = new URL('./agent.mjs', import.meta.url);

/** Runs agent.mjs in the box: one process a turn, the prompt on its standard input. */
export default defineHarness({
  speaks: ['chat-completions'],
  capabilities: {},
  async open(ctx) {
    const program = `${ctx.runtime.home}/word-count-agent.mjs`;
    return cliSession({
      ctx,
      files: { [program]: await readFile(source, 'utf8') },
      command: (prompt) => ({
        argv: ['node', program],
        stdin: prompt,
        env: {
          OPENAI_BASE_URL: `${ctx.endpoint.url}/v1`,
          OPENAI_API_KEY: ctx.endpoint.bearer,
          MODEL: ctx.model,
        },
      }),
      // What it printed says nothing that the exit code does not; it cannot go on with a conversation.
      evidence: () => ({ session: null, failure: null }),
    });
  },
});
