import type { AssistantMessage, Dialect, Message, Settings } from '@vf/core';
import { sortedJson } from '@vf/core/trace';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCall, damaged, someSettings } from './arbitrary.ts';
import { alike, isSame } from './same.ts';
import type { DialectSamples, RequestSample } from './samples.ts';
import { applyEdits, applyItemEdits } from './wire.ts';

interface Parts {
  readonly items: readonly unknown[];
  readonly top: Readonly<Record<string, unknown>>;
}

/** A body as the server hands it over: the growing array apart from the rest. */
function partsOf(dialect: Dialect, body: Readonly<Record<string, unknown>>): Parts {
  const growing = body[dialect.request.growing];
  if (!Array.isArray(growing)) return { items: [], top: body };
  return { items: growing, top: { ...body, [dialect.request.growing]: [] } };
}

function groupsOf(dialect: Dialect, items: readonly unknown[]): readonly (readonly unknown[])[] {
  const groups: unknown[][] = [];
  items.forEach((item, index) => {
    const previous = index === 0 ? undefined : items[index - 1];
    const last = groups.at(-1);
    if (last === undefined || dialect.request.opens(item, previous)) groups.push([item]);
    else last.push(item);
  });
  return groups;
}

export function describeRequests(dialect: Dialect, samples: DialectSamples): void {
  const { request } = dialect;
  const split = samples.requests.map((sample) => ({ sample, ...partsOf(dialect, sample.body) }));
  const pool = split.flatMap(({ items }) => items);
  const anyItem = fc.oneof(
    fc.constantFrom(...pool),
    fc.constantFrom(...pool).chain(damaged),
    fc.jsonValue(),
  );
  const itemLists = fc.array(anyItem, { maxLength: 12 });

  describe('requests', () => {
    it('parses whatever JSON comes', () => {
      const bodies = fc.oneof(
        fc.constantFrom(...samples.requests.map(({ body }) => body)).chain(damaged),
        fc.dictionary(fc.string(), fc.jsonValue()),
      );
      fc.assert(
        fc.property(bodies, (body) => {
          const { items, top } = partsOf(dialect, recordOf(body));
          const messages = groupsOf(dialect, items).flatMap((group) => request.messages(group));
          const settings = request.settings(top, dialect.turnPath({ model: 'm', stream: false }));
          expect(typeof settings.model).toBe('string');
          expect(typeof settings.stream).toBe('boolean');
          request.edits({ model: 'other' }, top, '/');
          request.continues?.(top);
          for (const message of [...request.preamble(top), ...messages]) {
            expect(['system', 'user', 'assistant', 'tool']).toContain(message.role);
          }
          expect(Array.isArray(request.tools(top))).toBe(true);
        }),
      );
    });

    it('parses whatever items come, without changing them', () => {
      fc.assert(
        fc.property(itemLists, (items) => {
          const before = JSON.stringify(items);
          const once = request.messages(items);
          expect(request.messages(items)).toEqual(once);
          expect(JSON.stringify(items)).toBe(before);
        }),
      );
    });

    it('gives the same messages for groups as for the whole', () => {
      fc.assert(
        fc.property(itemLists, (items) => {
          const groups = groupsOf(dialect, items);
          expect(groups.flatMap((group) => request.messages(group))).toEqual(
            request.messages(items),
          );
        }),
      );
    });

    it('gives the same tail from any opening', () => {
      fc.assert(
        fc.property(itemLists, (items) => {
          const all = request.messages(items);
          let rest = items;
          for (const group of groupsOf(dialect, items)) {
            const tail = request.messages(rest);
            expect(tail).toEqual(tail.length === 0 ? [] : all.slice(-tail.length));
            rest = rest.slice(group.length);
          }
        }),
      );
    });

    describeEdits(dialect, samples);
    describeRewrites(dialect, samples.requests);

    it('writes calls that read the same', () => {
      fc.assert(
        fc.property(anyCall(samples), (wanted) => {
          const body = recordOf(JSON.parse(JSON.stringify(request.write(wanted))));
          const { items, top } = partsOf(dialect, body);
          const read = [...request.preamble(top), ...request.messages(items)];
          const asked = [...wanted.preamble, ...wanted.messages];
          expect(alike(asked, read)).toEqual(asked);
          expect(request.tools(top).map(essence)).toEqual(wanted.tools.map(essence));
          const path = dialect.turnPath(wanted.settings);
          expect(request.settings(top, path)).toMatchObject(comparable(wanted.settings));
        }),
      );
    });

    it.each(samples.requests)('restates itself: $name', ({ body }) => {
      const said = request.messages(partsOf(dialect, body).items).filter(isAssistant);
      expect(said.map((message) => request.restates(message, message))).toEqual(
        said.map(() => true),
      );
    });
  });
}

function describeEdits(dialect: Dialect, samples: DialectSamples): void {
  const { request } = dialect;
  it.each(samples.requests)('edits nothing that is right already: $name', ({ body, path }) => {
    const { top } = partsOf(dialect, body);
    const { extra: _, ...settings } = request.settings(top, path);
    expect(request.edits({}, top, path)).toEqual([]);
    expect(request.edits(settings, top, path)).toEqual([]);
  });

  it('edits what is wanted, once', () => {
    const cases = fc.tuple(fc.constantFrom(...samples.requests), someSettings(samples));
    fc.assert(
      fc.property(cases, ([{ body, path }, want]) => {
        const { top } = partsOf(dialect, body);
        const edits = request.edits(want, top, path);
        expect(
          edits.filter(
            (edit) => 'key' in edit && sortedJson(edit.value) === sortedJson(top[edit.key]),
          ),
        ).toEqual([]);
        const after = applyEdits(top, path, edits);
        expect(request.edits(want, after.top, after.path)).toEqual([]);
        expect(request.settings(after.top, after.path)).toMatchObject(comparable(want));
        expect(request.tools(after.top)).toEqual(request.tools(top));
        expect(request.preamble(after.top)).toEqual(request.preamble(top));
      }),
    );
  });
}

function describeRewrites(dialect: Dialect, requests: readonly RequestSample[]): void {
  const { request } = dialect;
  it.each(requests)('rewrites a message by itself to nothing: $name', ({ body }) => {
    for (const group of groupsOf(dialect, partsOf(dialect, body).items)) {
      request.messages(group).forEach((message, index) => {
        expect(request.rewrite(group, index, message)).toEqual([]);
      });
    }
  });

  it.each(requests)('rewrites the text of one message and of no other: $name', ({ body }) => {
    for (const group of groupsOf(dialect, partsOf(dialect, body).items)) {
      const messages = request.messages(group);
      messages.forEach((message, index) => {
        if (message.content === null || message.content.length === 0) return;
        const wanted: Message = { ...message, content: 'rewritten' };
        const edits = request.rewrite(group, index, wanted);
        expect(edits.length).toBeGreaterThan(0);
        const after = request.messages(applyItemEdits(group, edits));
        const expected = messages.map((other, at) => (at === index ? wanted : other));
        expect(alike(expected, after)).toEqual(expected);
      });
    }
  });

  it.each(requests)('tells a rewritten message from the sampled one: $name', ({ body }) => {
    for (const message of request.messages(partsOf(dialect, body).items).filter(isAssistant)) {
      const other = { ...message, content: `${message.content ?? ''} and more` };
      expect(isSame(message, other)).toBe(false);
      expect(request.restates(message, other)).toBe(false);
    }
  });
}

/** Extra keys come from the request as well as from what is wanted; the others must be as wanted. */
function comparable(settings: Partial<Settings>): Record<string, unknown> {
  return { ...settings };
}

function essence(tool: Readonly<Record<string, unknown>> | object): unknown {
  const { name, description, parameters, kind, namespace } = Object.fromEntries(
    Object.entries(tool),
  );
  return { name, description, parameters, kind, namespace };
}

function isAssistant(message: Message): message is AssistantMessage {
  return message.role === 'assistant';
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
