import type { SseEvent } from '@vf/core';
import { VfError } from '@vf/core/errors';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunked } from '../../test/body.ts';
import { SseSplitter } from './sse-splitter.ts';
import type { SsePiece } from './sse-splitter.ts';

function split(chunks: readonly Uint8Array[]): SsePiece[] {
  const splitter = new SseSplitter();
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

function eventsOf(pieces: readonly SsePiece[]): SseEvent[] {
  return pieces.flatMap(({ event }) => event ?? []);
}

/** The standard's rules over the whole text at once, line by line. */
function reference(text: string): SseEvent[] {
  const events: SseEvent[] = [];
  let name = '';
  let data: string[] = [];
  const dispatch = (): void => {
    if (data.length > 0) events.push({ name: name === '' ? null : name, data: data.join('\n') });
    name = '';
    data = [];
  };
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    if (line === '') dispatch();
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    if (field === 'event') name = value;
  }
  dispatch();
  return events;
}

const lineText = fc.constantFrom(
  'data: {"a":1}',
  'data:x',
  'data',
  'data:',
  'data:  two',
  'event: ping',
  'event:',
  ': comment',
  ':',
  'id: 7',
  'retry: 1',
  'data: é😀€',
  '',
  '',
  '',
  ' data: x',
);
const streamText = fc
  .tuple(
    fc.constantFrom('', '', '\ufeff', '\u00ef\u00bb'),
    fc.array(fc.tuple(lineText, fc.constantFrom('\n', '\n', '\r\n', '\r')), { maxLength: 30 }),
    lineText,
  )
  .map(([mark, lines, last]) => mark + lines.map((pair) => pair.join('')).join('') + last);

describe('for any split of any stream', () => {
  test('the pieces are the stream', () => {
    fc.assert(
      fc.property(streamText, fc.array(fc.nat(400), { maxLength: 40 }), (text, cuts) => {
        expect(Buffer.concat(split(chunked(text, cuts)).map(({ bytes }) => bytes)).toString()).toBe(
          text,
        );
      }),
      { numRuns: 500 },
    );
  });

  test('the events are those of the standard', () => {
    fc.assert(
      fc.property(streamText, fc.array(fc.nat(400), { maxLength: 40 }), (text, cuts) => {
        expect(eventsOf(split(chunked(text, cuts)))).toEqual(reference(text));
      }),
      { numRuns: 500 },
    );
  });

  test('bytes that are no text pass through', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 60 }),
        fc.array(fc.nat(60), { maxLength: 10 }),
        (bytes, cuts) => {
          expect(
            Buffer.concat(split(chunked(Buffer.from(bytes), cuts)).map((piece) => piece.bytes)),
          ).toEqual(Buffer.from(bytes));
        },
      ),
    );
  });
});

test('an event comes out with its blank line, a comment with its line', () => {
  const splitter = new SseSplitter();
  expect(splitter.push(Buffer.from('event: a\ndata: 1\n'))).toEqual([]);
  expect(
    splitter
      .push(Buffer.from('\n: ping\nda'))
      .map(({ bytes, event }) => [Buffer.from(bytes).toString(), event]),
  ).toEqual([
    ['event: a\ndata: 1\n\n', { name: 'a', data: '1' }],
    [': ping\n', null],
  ]);
  expect(eventsOf(splitter.push(Buffer.from('ta: 2\r\n\r')))).toEqual([{ name: null, data: '2' }]);
  expect(splitter.push(Buffer.from('\n')).map(({ event }) => event)).toEqual([null]);
  expect(splitter.end()).toEqual([]);
});

test('what came in one chunk is not copied', () => {
  const chunk = Buffer.from('data: 1\n\ndata: 2\n\n');
  for (const { bytes } of split([chunk])) expect(bytes.buffer).toBe(chunk.buffer);
});

test('an event that is too long is an error, a stream of short ones is not', () => {
  const splitter = new SseSplitter(100);
  for (let at = 0; at < 100; at++)
    expect(splitter.push(Buffer.from('data: 12345\n\n'))).toHaveLength(1);
  expect(() => Array.from({ length: 30 }, () => splitter.push(Buffer.from('data')))).toThrow(
    expect.objectContaining({ code: 'provider/malformed' }),
  );
  expect(() => new SseSplitter(10).push(Buffer.from('data: 123456\n\n'))).toThrow(VfError);
});

test('[wire/sse-unfinished] a last event without its blank line still counts', () => {
  const pieces = split([new TextEncoder().encode('data: one\n\ndata: two')]);
  expect(pieces.flatMap(({ event }) => (event === null ? [] : [event.data]))).toEqual([
    'one',
    'two',
  ]);
});
