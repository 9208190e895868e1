import type { CallError, Client, Prefix, TurnTokens } from '@vf/core';
import { promptOf, textOf } from '@vf/core/trace';
import { afterEach, describe, expect, test } from 'vitest';
import { rig, userTurn } from './rig.ts';
import type { Rig } from './rig.ts';

const end = 900;

interface Engine extends Client {
  readonly prefixes: Prefix[];
  readonly sent: TurnTokens[];
}

/**
 * An engine that answers `answer`, whose ids are the code points of the texts. `redrawnFrom`: from this turn on the
 * first reply stands in the prompt with other ids than those that were sampled.
 */
function engine(redrawnFrom = Number.POSITIVE_INFINITY): Engine {
  const prefixes: Prefix[] = [];
  const sent: TurnTokens[] = [];
  return {
    prefixes,
    sent,
    async send(exchange) {
      prefixes.push(exchange.prefix());
      const isRedrawn = sent.length >= redrawnFrom;
      const ids: number[] = [];
      const spans = promptOf(exchange.call()).map((message, at): readonly [number, number] => {
        const start = ids.length;
        const text = textOf(message.content);
        ids.push(...Array.from(text, (letter) => letter.charCodeAt(0)), end);
        if (isRedrawn && at === 1) ids[start] = 800;
        return [start, ids.length];
      });
      const text = `r${sent.length}`;
      const completion = Array.from(text, (letter) => letter.charCodeAt(0));
      const tokens: TurnTokens = {
        promptIds: Int32Array.from(ids),
        completionIds: Int32Array.of(...completion, end),
        logprobs: Float32Array.of(...completion.map(() => -1), -0.5),
        spans,
      };
      sent.push(tokens);
      const body = Buffer.from(JSON.stringify({ text, finish: 'stop' }));
      return {
        head: { status: 200, headers: ['content-type', 'application/json'] },
        body: (async function* () {
          yield body;
        })(),
        tokens: Promise.resolve(tokens),
      };
    },
  };
}

let open: Rig | null = null;
afterEach(() => open?.close());

function idsTo({ trace }: Rig, node: number | null): number[] {
  const path = node === null ? [] : trace.graph.pathTo(node);
  return path.flatMap((at) => [...(trace.graph.nodes[at]?.tokens?.ids ?? [])]);
}

describe('a client that gives tokens', () => {
  test('has them in the graph, and in the prefix of the next turn [wire/tokens-recorded]', async () => {
    const client = engine();
    open = await rig({}, { client });
    await open.post(userTurn('a'));
    await open.post(userTurn('a', 'r0', 'b'));
    const [first, second] = client.sent;
    expect(client.prefixes).toEqual([
      { messages: 0, tokens: null },
      {
        messages: 2,
        tokens: { promptIds: first?.promptIds, completionIds: first?.completionIds },
      },
    ]);
    const { calls, branches } = open.trace;
    expect(idsTo(open, calls[1]?.node ?? null)).toEqual([
      ...(second?.promptIds ?? []),
      ...(second?.completionIds ?? []),
    ]);
    expect(branches).toHaveLength(1);
  });

  test('forks where the past has other tokens, and goes on from there [wire/tokens-fork]', async () => {
    const client = engine(2);
    open = await rig({}, { client });
    await open.post(userTurn('a'));
    await open.post(userTurn('a', 'r0', 'b'));
    await open.post(userTurn('a', 'r0', 'b', 'r1', 'c'));
    await open.post(userTurn('a', 'r0', 'b', 'r1', 'c', 'r2', 'd'));
    const { calls, branches } = open.trace;
    expect(branches).toHaveLength(2);
    for (const [turn, { promptIds, completionIds }] of client.sent.entries()) {
      expect(idsTo(open, calls[turn]?.node ?? null)).toEqual([...promptIds, ...completionIds]);
    }
    expect(client.prefixes[3]?.tokens?.promptIds).toEqual(client.sent[2]?.promptIds);
  });

  test('names what its streamed reply broke off with, as a plain one would [wire/tokens-recorded]', async () => {
    const error = { status: 502, code: 'malformed', message: 'no logprobs' } as const;
    let failure: CallError | null = null;
    const client: Client = {
      async send({ dialect, rollout, call }) {
        const { settings } = call();
        const { newId, now } = rollout;
        const writer = dialect.writer({ stream: true, settings, newId, now });
        return {
          head: { status: 200, headers: ['content-type', 'text/event-stream'] },
          body: (async function* () {
            yield writer.delta({ type: 'text', text: 'half' });
            failure = error;
            // What a dialect cannot spell is another failure in its event.
            yield dialect.errorEvent({ ...error, status: 500, code: 'provider' });
          })(),
          failure: () => failure,
        };
      },
    };
    open = await rig({}, { client });
    const reply = await open.post({ ...userTurn('a'), stream: true });
    expect(await reply.text()).toContain('no logprobs');
    expect(open.trace.calls).toMatchObject([{ error, node: null }]);
  });

  test('gives none to a reply that a hook told otherwise [wire/tokens-rewritten]', async () => {
    open = await rig(
      {},
      { client: engine(), rewriteReply: async (reply) => ({ ...reply, content: 'other' }) },
    );
    await open.post(userTurn('a'));
    expect(open.trace.graph.nodes.map(({ tokens }) => tokens)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
