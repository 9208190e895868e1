import { defineEnvironment, z } from '@vf/core';
import type { Message } from '@vf/core';
import { textOf } from '@vf/core/trace';

export default defineEnvironment({
  config: z.strictObject({
    rounds: z.number().int().nonnegative().default(1).describe('how often the critic is asked'),
  }),
  roles: {
    solver: { summary: 'does the task' },
    critic: { summary: 'says what is wrong with it', scored: false, trainable: false },
  },
  async play({ task, agents, config, choose }) {
    const asked = plain(task.prompt ?? '');
    let draft = await agents.solver.run(task);
    for (let round = 0; round < config.rounds; round++) {
      const critique = await agents.critic.run({
        prompt: `${asked}\n\nWhat is wrong with this answer?\n${draft.trace.lastReply}`,
      });
      // The task itself stays what it is, so that the taskset scores the next draft as it did the first.
      draft = await agents.solver.run({
        ...task,
        prompt: `${asked}\n\nA critic said of an earlier answer:\n${critique.trace.lastReply}`,
      });
    }
    choose(draft);
  },
});

/** A prompt is text or a list of messages. */
function plain(prompt: string | readonly Message[]): string {
  if (typeof prompt === 'string') return prompt;
  return prompt.map(({ content }) => textOf(content ?? '')).join('\n');
}
