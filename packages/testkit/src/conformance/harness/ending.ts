import { describe, expect, test } from 'vitest';
import { fail, hang, say } from '../../scripted-model/index.ts';
import type { Stage } from './stage.ts';
import { filesNaming, processesLeft, processesNaming } from './traces-left.ts';

/** How turns end, well and badly, and what is left. */
export function endingTests(at: Stage): void {
  describe('ending', () => {
    test('a closed session leaves no process; closing twice is fine', async () => {
      const { session, box, ctx } = await at.open(() => say('Done.'));
      await session.turn('Hello.', at.signal);
      await session.close();
      await session.close();
      expect(await processesLeft(box, ctx.rolloutId)).toBe('');
    });

    test('a session that never had a turn closes', async () => {
      const { session, box, ctx } = await at.open(() => say('Done.'));
      await session.close();
      expect(await processesLeft(box, ctx.rolloutId)).toBe('');
    });

    test('a cancel in mid-turn ends the agent and its call', async () => {
      const { session, model, box, ctx } = await at.open(() => hang());
      const abort = new AbortController();
      const turn = session.turn('Think long.', abort.signal).then(
        (segment) => segment.status,
        () => 'rejected',
      );
      await model.received(1);
      abort.abort();
      expect(await turn).not.toBe('completed');
      await session.close();
      expect(await processesLeft(box, ctx.rolloutId)).toBe('');
      expect(await Promise.all(model.turns.map((call) => call.over))).not.toContain('answered');
    });

    test('a refusal with 400 ends the turn without a storm of retries', async () => {
      const { session, model } = await at.open(() => fail(400, { message: 'the rollout is over' }));
      const outcome = await session.turn('Go on.', at.signal).then(
        (segment) => segment,
        (error: unknown) => ({ status: 'failed', detail: String(error) }),
      );
      expect(model.turns.length).toBeGreaterThan(0);
      expect(model.turns.length).toBeLessThanOrEqual(at.options.callsPerRefusal ?? 2);
      expect(outcome.status).toBe('failed');
    });

    test('the bearer is in no argument list and in no file of the task', async () => {
      const { session, model, box, ctx } = await at.open(() => hang());
      const abort = new AbortController();
      const turn = session.turn('Think long.', abort.signal).catch(() => null);
      await model.received(1);
      expect(await processesNaming(box, ctx.endpoint.bearer)).toBe('');
      expect(await filesNaming(box, ctx.endpoint.bearer)).toBe('');
      abort.abort();
      await turn;
    });
  });
}
