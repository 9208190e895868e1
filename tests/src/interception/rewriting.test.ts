import { say, startScriptedModel, think } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { dialects, intercept, requestOf } from './rig.ts';

describe.each(dialects.map(({ id }) => id))('%s', (id) => {
  test.each([true, false])(
    'a reply hook’s text is all that the agent reads (stream: %s)',
    async (stream) => {
      await using model = await startScriptedModel({
        script: () => [think('Hm.'), say('the answer key says 4')],
      });
      await using rig = await intercept(model.url, {
        rewriteReply: async (reply) => ({ ...reply, content: 'work it out' }),
      });
      const { path, body } = requestOf(id, stream);
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${rig.bearer}` };
      const response = await fetch(`${rig.url}${path}`, { method: 'POST', headers, body });
      const told = await response.text();
      expect(told).toContain('work it out');
      expect(told).not.toContain('answer key');
      expect(
        rig.trace.graph.nodes.map(({ message, sampled }) => [message.content, sampled]),
      ).toEqual([
        ['hi', false],
        ['the answer key says 4', true],
        ['work it out', false],
      ]);
    },
  );
});
