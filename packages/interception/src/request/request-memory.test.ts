import type { Message, RequestFormat } from '@vf/core';
import { MessageGraph, textOf } from '@vf/core/trace';
import { describe, expect, test } from 'vitest';
import { chunked, textOfBody } from '../../test/body.ts';
import { tinyFormat } from '../../test/tiny-dialect.ts';
import type { ReadRequest } from './read-request.ts';
import { RequestMemory } from './request-memory.ts';

const timestamp = 1;
const path = '/v1/turn';
const user = (content: string): Message => ({ role: 'user', content });

function memoryOf(replyNode: (id: string) => number | null = () => null) {
  const graph = new MessageGraph();
  const memory = new RequestMemory(graph, { request: tinyFormat }, { replyNode });
  const read = (text: string): ReadRequest => memory.read(chunked(text), path);
  /** Reads a request and records it with a reply; gives the reply's node. */
  const turn = (
    text: string,
    reply: string,
    sent: ReadonlyMap<number, Message> = new Map(),
  ): number | null => {
    const request = read(text);
    const prompt = request.tail.map(({ said }, index) => {
      const rewritten = sent.get(index);
      return rewritten === undefined ? { said } : { said, sent: rewritten };
    });
    const committed = graph.commit(
      request.at,
      prompt,
      { message: { role: 'assistant', content: reply } },
      { timestamp },
    );
    request.settle(committed);
    return committed.reply;
  };
  return { graph, memory, read, turn };
}

const saidBy = (request: ReadRequest): string[] =>
  request.tail.map(({ said }) => `${said.role}: ${textOf(said.content)}`);

describe('what is new', () => {
  test('is everything at first, then what follows the sampled reply', () => {
    const { read, turn } = memoryOf();
    const first = '{"model":"m","system":"s","messages":[{"role":"user","content":"a"}]}';
    expect(saidBy(read(first))).toEqual(['system: s', 'user: a']);
    expect(read(first).tail.map(({ rewritable }) => rewritable)).toEqual([false, true]);
    const reply = turn(first, 'r');
    const second = read(
      '{"model":"m","system":"s","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"r"},{"role":"user","content":"b"}]}',
    );
    expect(saidBy(second)).toEqual(['user: b']);
    expect(second.at.node).toBe(reply);
    expect(second.known).toBe(3);
  });

  test('goes on in a group that the first new item belongs to', () => {
    const { read, turn } = memoryOf();
    turn('{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"x"}]}', 'r');
    const longer = read(
      '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"x"},{"role":"assistant","content":"y"}]}',
    );
    expect(saidBy(longer)).toEqual(['assistant: xy']);
    expect(longer.known).toBe(1);
  });

  test('is found when items end inside a remembered group', () => {
    const { read, turn } = memoryOf();
    turn(
      '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"x"},{"role":"assistant","content":"y"}]}',
      'r',
    );
    const shorter = read(
      '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"x"}]}',
    );
    expect(saidBy(shorter)).toEqual(['assistant: x']);
  });

  test.each([
    ['a longer number', '[1]', '[12]'],
    [
      'white space after the last item',
      '[{"role":"user","content":"a"} \n]',
      '[{"role":"user","content":"a"} ,\t{"role":"user","content":"b"}]',
    ],
    [
      'another spelling',
      '[{"role":"user","content":"é"}]',
      '[{"role":"user","content":"\\u00e9"}]',
    ],
    ['nothing left', '[{"role":"user","content":"a"}]', '[ ]'],
    ['items after an empty list', '[]', '[{"role":"user","content":"a"}]'],
  ])('%s is read as a full parse reads it', (_name, before, after) => {
    const { read, turn } = memoryOf();
    turn(`{"messages":${before},"model":"m"}`, 'r');
    const request = read(`{"messages":${after},"model":"m"}`);
    const all = tinyFormat.messages(JSON.parse(after) as unknown[]);
    expect(request.edited({}).call().messages).toEqual(all);
    expect(request.known + request.tail.length).toBe(all.length);
  });

  test('is apart under another system prompt and other tools', () => {
    const { read, turn } = memoryOf();
    turn('{"system":"s","messages":[{"role":"user","content":"a"}]}', 'r');
    expect(saidBy(read('{"system":"t","messages":[{"role":"user","content":"a"}]}'))).toEqual([
      'system: t',
      'user: a',
    ]);
    expect(
      saidBy(read('{"system":"s","messages":[{"role":"user","content":"a"}],"tools":["x"]}')),
    ).toEqual(['system: s', 'user: a']);
  });

  test('follows the reply that the request continues', () => {
    const nodes = new Map<string, number | null>();
    const { read, turn } = memoryOf((id) => nodes.get(id) ?? null);
    nodes.set('resp_1', turn('{"system":"s","messages":"a"}', 'r'));
    const next = read('{"system":"s","previous":"resp_1","messages":"b"}');
    expect(next.continues).toEqual({ id: 'resp_1', node: 2 });
    expect(saidBy(next)).toEqual(['user: b']);
    expect(next.known).toBe(3);
    expect(
      next
        .edited({})
        .call()
        .messages.map(({ content }) => content),
    ).toEqual(['s', 'a', 'r', 'b']);
    expect(read('{"previous":"resp_9","messages":"b"}').continues).toEqual({
      id: 'resp_9',
      node: null,
    });
  });
});

/** Reads and records a request; gives the texts of the items that were parsed for it. */
function counting() {
  const parsed: string[] = [];
  const format: RequestFormat = {
    ...tinyFormat,
    messages(group) {
      parsed.push(...group.map((value) => (value as { content: string }).content));
      return tinyFormat.messages(group);
    },
  };
  const graph = new MessageGraph();
  const memory = new RequestMemory(graph, { request: format });
  return (text: string): string[] => {
    parsed.length = 0;
    const request = memory.read(chunked(text, [100, 5000]), path);
    request.settle(graph.commit(request.at, request.tail, null, { timestamp }));
    return [...parsed];
  };
}

describe('what is old is not parsed again', () => {
  const item = (role: string, content: string, mark = ''): string =>
    `{${mark}"role":"${role}","content":"${content}"}`;
  const bodyOf = (items: readonly string[], rest = ''): string =>
    `{"system":"s","messages":[${items.join(',')}]${rest}}`;

  const turns = Array.from({ length: 30 }, (_, at) => [
    item('assistant', `r${at}`),
    item('user', `u${at}`),
  ]);
  const upTo = (count: number): string[] => turns.slice(0, count).flat();

  test('by a request that goes on, whatever stands around the items', () => {
    const read = counting();
    for (let at = 1; at <= 30; at++) {
      expect(read(bodyOf(upTo(at), at % 3 === 0 ? `,"turn":${at}` : ''))).toEqual([
        `r${at - 1}`,
        `u${at - 1}`,
      ]);
    }
  });

  test('but for the last item, where a mark moves with the end', () => {
    const read = counting();
    const marked = (count: number): string[] => [
      ...upTo(count).slice(0, -1),
      item('user', `u${count - 1}`, '"mark":true,'),
    ];
    read(bodyOf(marked(1)));
    for (let at = 2; at <= 30; at++)
      expect(read(bodyOf(marked(at)))).toEqual([`u${at - 2}`, `r${at - 1}`, `u${at - 1}`]);
  });

  test('when three other conversations went on meanwhile, and no longer after four', () => {
    const read = counting();
    read(bodyOf(upTo(20)));
    for (const other of ['x', 'y', 'z']) {
      read(bodyOf([item('user', other)]));
      expect(read(bodyOf([item('user', other), item('assistant', 'more')]))).toEqual(['more']);
    }
    expect(read(bodyOf(upTo(21)))).toEqual(['r20', 'u20']);
    for (const other of ['1', '2', '3', '4']) read(bodyOf([item('user', other)]));
    expect(read(bodyOf(upTo(22)))).toHaveLength(44);
  });
});

describe('shapes that do not fit', () => {
  test('a string, no array, or another key is read whole', () => {
    const { read } = memoryOf();
    expect(saidBy(read('{"messages":"hello"}'))).toEqual(['user: hello']);
    expect(read('{"model":"m"}')).toMatchObject({
      parsed: true,
      tail: [],
      settings: { model: 'm' },
    });
    expect(read('{"messages":{"a":[1]}}')).toMatchObject({
      parsed: true,
      tail: [],
      top: { messages: { a: [1] } },
    });
  });

  test('of a key that stands twice the last one counts', () => {
    const { read, turn } = memoryOf();
    const twice =
      '{"messages":[{"role":"user","content":"a"}],"mess\\u0061ges":[{"role":"user","content":"b"}],"model":"x","model":"y"}';
    expect(read(twice).settings.model).toBe('y');
    expect(saidBy(read(twice))).toEqual(['user: b']);
    turn(twice, 'r');
    expect(read(twice).tail).toEqual([]);
    expect(JSON.parse(textOfBody(read(twice).edited({ model: 'z' }).body))).toEqual({
      messages: [{ role: 'user', content: 'b' }],
      model: 'z',
    });
    expect(textOfBody(read(twice).edited({ model: 'z' }).body).match(/"model"/g)).toHaveLength(1);
  });

  test('values known from an earlier request are those of this one', () => {
    const { read, turn } = memoryOf();
    const list = JSON.stringify(Array.from({ length: 100 }, (_, at) => at));
    turn(`{"messages":[],"a":${list},"b":${list}}`, 'r');
    const parsed = (text: string) => read(text).top;
    for (const text of [
      `{"messages":[],"b":${list},"a":${list},"c":1}`,
      `{"messages":[],"a":${list} , "b":[1]}`,
      `{"messages":[],"a":${list},"a":2}`,
      `{"messages":[],"a":1,"a":${list}}`,
      `{"messages":[],"__proto__":${list},"a":${list}}`,
      `{"a":${list},"messages":[],"b":${list},"b":${list.replace('5', '6')}}`,
    ]) {
      expect(parsed(text)).toEqual(JSON.parse(text));
      expect(Object.keys(parsed(text))).toEqual(Object.keys(JSON.parse(text) as object));
    }
    expect(read(`{"messages":[],"a":${list}1}`).parsed).toBe(false);
    expect(read(`{"messages":[],"a":${list},}`).parsed).toBe(false);
  });

  test('a shell that seems known because both bodies end alike', () => {
    const { read, turn } = memoryOf();
    turn('{"messages":[{"role":"user","content":"a"}]}', 'r');
    const request = read(
      '{"messages":[{"role":"user","content":"a"}],"tools":["x"],"other":[{"b":1}]}',
    );
    expect(request.tools).toEqual([{ name: 'x' }]);
    expect(request.top).toEqual({ messages: [], tools: ['x'], other: [{ b: 1 }] });
  });

  test.each([
    '',
    'null',
    '[1]',
    '{"messages":[}',
    '{"messages":[{}',
    '{"messages":[1,]}',
    '{"messages":[1] "a":2}',
    '{"messages":[[}]}',
    '\ufeff{}',
  ])('no JSON object: %j goes upstream as it came', (text) => {
    const { read, turn } = memoryOf();
    turn('{"messages":[1]}', 'r');
    const request = read(text);
    expect(request.parsed).toBe(false);
    const edited = request.edited({ model: 'm' });
    expect(textOfBody(edited.body)).toBe(text);
    expect(edited.edits).toEqual([]);
  });

  test.each([
    [
      'deep nesting',
      `{"messages":[{"role":"user","content":"a","x":${'['.repeat(20_000)}${']'.repeat(20_000)}}],"model":"m"}`,
    ],
    [
      'deep nesting beside the items',
      `{"messages":[],"x":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)},"model":"m"}`,
    ],
    [
      'a long string',
      `{"messages":[{"role":"user","content":"${'\\"a'.repeat(2_000_000)}"}],"model":"m"}`,
    ],
  ])('%s is edited without a full copy of the text', (_name, text) => {
    const request = memoryOf().read(text);
    expect(textOfBody(request.edited({ model: 'other' }).body)).toBe(
      text.replace('"model":"m"', '"model":"other"'),
    );
  });
});

describe('edits', () => {
  const text =
    '{ "model" : "m", "big": 12345678901234567890, "temperature":1.0, "limit": 3,\n "messages":[ {"role":"user","content":"a","n":1.0} ] }';

  test('leave the very same chunks where nothing changes', () => {
    const body = chunked(text, [10, 50]);
    const request = memoryOf().memory.read(body, path);
    expect(request.edited({ model: 'm' }).body).toBe(body);
  });

  test('replace, remove and add one key each', () => {
    const edited = memoryOf().read(text).edited({ model: 'n', maxOutputTokens: 5 });
    expect(textOfBody(edited.body)).toBe(
      '{ "model" : "n", "big": 12345678901234567890, "temperature":1.0,\n "messages":[ {"role":"user","content":"a","n":1.0} ],"max":5 }',
    );
    expect(edited.settings).toEqual({ model: 'n', stream: false, temperature: 1 });
  });

  test('reach the path', () => {
    const request = memoryOf().memory.read(chunked('{}'), '/models/m');
    expect(request.edited({ model: 'n' })).toMatchObject({
      path: '/models/n',
      settings: { model: 'n' },
    });
    expect(textOfBody(request.edited({ temperature: 2 }).body)).toBe('{"temperature":2}');
  });
});

describe('rewrites', () => {
  const first =
    '{"messages":[{"role":"user","results":[{"id":"1","content":"x"},{"id":"2","content":"y"}],"content":"a"}]}';

  test('of two messages in one item both go upstream', () => {
    const rewrites = new Map<number, Message>([
      [0, { role: 'tool', toolCallId: '1', content: 'X' }],
      [2, user('A')],
    ]);
    const edited = memoryOf().read(first).edited({}, rewrites);
    expect(textOfBody(edited.body)).toBe(first.replace('"x"', '"X"').replace('"a"', '"A"'));
    expect(edited.call().messages.map(({ content }) => content)).toEqual(['X', 'y', 'A']);
    expect(edited.edits).toEqual([]);
  });

  test('are made again on every restatement, whether the bytes are known or not', () => {
    const { read, turn } = memoryOf();
    turn(first, 'r', new Map([[2, user('A')]]));
    const next = '{"role":"assistant","content":"r"},{"role":"user","content":"b"}';
    const second = first.replace(/\]\}$/, `,${next}]}`);
    const respelt = second.replace('"content":"a"', '"mark":true,"content":"a"');
    for (const body of [first, second, respelt, second]) {
      const edited = read(body).edited({});
      expect(textOfBody(edited.body)).toBe(body.replace('"content":"a"', '"content":"A"'));
      expect(edited.call().messages[2]).toEqual(user('A'));
    }
    turn(second, 'r2');
    expect(textOfBody(read(second).edited({}).body)).toBe(
      second.replace('"content":"a"', '"content":"A"'),
    );
  });

  test('of an item that is nested deeper than the stack', () => {
    const deep = `${'{"a":['.repeat(10_000)}1,true${']}'.repeat(10_000)}`;
    const body = `{"messages":[{"role":"user","content":"a","x":${deep},"y":[]}]}`;
    const edited = memoryOf()
      .read(body)
      .edited({}, new Map([[0, user('A')]]));
    expect(textOfBody(edited.body)).toBe(body.replace('"content":"a"', '"content":"A"'));
  });

  test('of a run of items leave one of them', () => {
    const run =
      '{"messages":[{"role":"assistant","content":"x"},{"role":"assistant","content":"y"},{"role":"user","content":"b"}]}';
    const edited = memoryOf()
      .read(run)
      .edited({}, new Map([[0, { role: 'assistant', content: 'z' }]]));
    expect(textOfBody(edited.body)).toBe(
      '{"messages":[{"role":"assistant","content":"z"},{"role":"user","content":"b"}]}',
    );
  });
});
