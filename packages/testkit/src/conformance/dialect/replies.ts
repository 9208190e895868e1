import type { Delta, Dialect, ReadReply, SseEvent } from '@vf/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyReply, damaged, meansOf, pieces } from './arbitrary.ts';
import { isSame } from './same.ts';
import type { DialectSamples } from './samples.ts';
import { deltasOf, readAll, readBack, readSample, sampleEvents, writeAll } from './wire.ts';

const cuts = fc.array(fc.nat(), { maxLength: 3 });

export function describeReplies(dialect: Dialect, samples: DialectSamples): void {
  const streamed = samples.replies.filter(({ stream }) => stream);

  describe('replies', () => {
    it.each(samples.replies)('reads the whole of $name', (sample) => {
      const { reply: read, events } = readSample(dialect, sample);
      expect(read.whole).toBe(true);
      expect(read.error).toBeNull();
      expect(read.message).not.toBeNull();
      expect(read.finish).not.toBeNull();
      expect(events.filter(({ phase }) => phase === 'terminal')).toHaveLength(1);
      expect(events.every((event) => event.deltas === undefined)).toBe(true);
    });

    it.each(samples.replies)('reports deltas that add up: $name', (sample) => {
      const { reply: read, deltas } = readSample(dialect, sample, true);
      expect(asWanted(readSample(dialect, sample).reply, read)).toEqual(
        essence(readSample(dialect, sample).reply),
      );
      expect(textIn(deltas, 'text')).toBe(read.message?.content ?? '');
      expect(textIn(deltas, 'reasoning')).toBe(read.message?.reasoning ?? '');
      expect(callsIn(deltas)).toEqual(
        (read.message?.toolCalls ?? []).map(({ id, name, arguments: text }) => ({
          id,
          name,
          text,
        })),
      );
    });

    it.each(samples.replies)('writes what it read: $name', (sample) => {
      const { reply: read, deltas } = readSample(dialect, sample, true);
      expect(
        asWanted(read, readBack(dialect, writeAll(dialect, read, [], false), false).reply),
      ).toEqual(essence(read));
      expect(
        asWanted(read, readBack(dialect, writeAll(dialect, read, deltas, true), true).reply),
      ).toEqual(essence(read));
      const handed = read.message === null ? [] : deltasOf(read.message);
      expect(
        asWanted(read, readBack(dialect, writeAll(dialect, read, handed, true), true).reply),
      ).toEqual(essence(read));
    });

    it('read(write(reply)) = reply, plain', () => {
      fc.assert(
        fc.property(anyReply(meansOf(samples)), (wanted) => {
          expect(
            asWanted(wanted, readBack(dialect, writeAll(dialect, wanted, [], false), false).reply),
          ).toEqual(essence(wanted));
        }),
      );
    });

    it('read(write(reply)) = reply, streamed in any pieces', () => {
      fc.assert(
        fc.property(anyReply(meansOf(samples)), cuts, (wanted, at) => {
          const deltas =
            wanted.message === null
              ? []
              : deltasOf(wanted.message).flatMap((delta) => cutUp(delta, at));
          expect(
            asWanted(
              wanted,
              readBack(dialect, writeAll(dialect, wanted, deltas, true), true).reply,
            ),
          ).toEqual(essence(wanted));
        }),
      );
    });

    it.each(streamed)('knows a broken stream at any event: $name', (sample) => {
      const events = sampleEvents(sample);
      const { events: read } = readSample(dialect, sample);
      const known = read.findIndex(({ phase }) => phase !== 'more');
      for (let end = 0; end <= known; end++) {
        const partial = readAll(dialect, events.slice(0, end), { stream: true });
        expect(partial.reply.whole).toBe(false);
        const said = partial.reply.message?.content ?? '';
        expect(
          readSample(dialect, sample).reply.message?.content?.startsWith(said) ?? said === '',
        ).toBe(true);
      }
    });

    it.each(samples.replies)('survives a cut inside an event: $name', (sample) => {
      const events = sampleEvents(sample);
      const property = fc.property(fc.nat({ max: events.length - 1 }), fc.nat(), (index, at) => {
        const cut = events[index];
        if (cut === undefined) return;
        const last: SseEvent = { name: cut.name, data: cut.data.slice(0, at % cut.data.length) };
        const { reply: read } = readAll(dialect, [...events.slice(0, index), last], {
          stream: sample.stream,
        });
        expect(sample.stream || !read.whole).toBe(true);
      });
      fc.assert(property);
    });

    it.each(streamed)('calls an event that is no JSON malformed, at any place: $name', (sample) => {
      const events = sampleEvents(sample);
      const known = readSample(dialect, sample).events.findIndex(({ phase }) => phase !== 'more');
      for (const [at, { name }] of events.slice(0, known).entries()) {
        const broken: SseEvent = { name, data: '{"cut' };
        const read = readAll(dialect, events.toSpliced(at, 0, broken), { stream: true });
        expect(read.events[at]?.error).toMatchObject({ code: 'malformed', status: 200 });
        expect(read.reply.error).toMatchObject({ code: 'malformed' });
        const empty = readAll(dialect, events.toSpliced(at, 0, { name, data: '' }), {
          stream: true,
        });
        expect(empty.reply).toEqual(readSample(dialect, sample).reply);
      }
    });

    it('survives whatever events come', () => {
      const known = samples.replies.flatMap(sampleEvents);
      const event: fc.Arbitrary<SseEvent> = fc.oneof(
        fc.constantFrom(...known),
        fc
          .constantFrom(...known)
          .chain(({ name, data }) =>
            damaged(parsed(data)).map((value) => ({ name, data: JSON.stringify(value) })),
          ),
        fc.record({ name: fc.option(fc.string()), data: fc.oneof(fc.string(), fc.json()) }),
      );
      fc.assert(
        fc.property(
          fc.array(event, { maxLength: 12 }),
          fc.boolean(),
          fc.boolean(),
          (events, stream, deltas) => {
            const read = readAll(dialect, events, { stream, deltas });
            expect(read.events).toHaveLength(events.length);
          },
        ),
      );
    });
  });
}

/** Ids are the stream's own, and a raw reason may have no word in this dialect. */
const ownParts = { id: null, rawFinish: null };

/** All that must come through. */
function essence(wanted: ReadReply): unknown {
  return { ...wanted, ...ownParts };
}

/** What was read, with the message as wanted where the graph would take it for that, and no more usage than wanted. */
function asWanted(wanted: ReadReply, read: ReadReply): unknown {
  const isWanted =
    wanted.message !== null && read.message !== null && isSame(wanted.message, read.message);
  const told = new Map(Object.entries(read.usage ?? {}));
  const usage = Object.keys(wanted.usage ?? {}).map((key) => [key, told.get(key)] as const);
  return {
    ...read,
    ...ownParts,
    ...(isWanted ? { message: wanted.message } : {}),
    usage: wanted.usage === null ? read.usage : Object.fromEntries(usage),
  };
}

function textIn(deltas: readonly Delta[], type: 'text' | 'reasoning'): string {
  return deltas.map((delta) => (delta.type === type ? delta.text : '')).join('');
}

function callsIn(deltas: readonly Delta[]): readonly unknown[] {
  return deltas.flatMap((delta) => {
    if (delta.type !== 'call') return [];
    const { id, name, index } = delta;
    const text = deltas.map((other) =>
      other.type === 'arguments' && other.index === index ? other.text : '',
    );
    return [{ id, name, text: text.join('') }];
  });
}

function cutUp(delta: Delta, at: readonly number[]): readonly Delta[] {
  if (delta.type !== 'text' && delta.type !== 'reasoning' && delta.type !== 'arguments')
    return [delta];
  return pieces(delta.text, at).map((text) => ({ ...delta, text }));
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}
