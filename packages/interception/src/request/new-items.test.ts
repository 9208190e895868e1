import { MessageGraph } from '@vf/core/trace';
import { expect, test } from 'vitest';
import { chunked } from '../../test/body.ts';
import { tinyFormat } from '../../test/tiny-dialect.ts';
import { RequestMemory } from './request-memory.ts';

const first = '{"role":"user","content":"a"}';
const odd = [
  ',',
  ']',
  '}',
  ` ${first}`,
  ',,1',
  ',{"a":1}}',
  ',[1]]',
  ',"a',
  ',tru',
  ',1 2',
  ',\u00a01',
];

test.each(odd)(
  'items that are no JSON list do not pass for one, at first and later: %s',
  (rest) => {
    const graph = new MessageGraph();
    const memory = new RequestMemory(graph, { request: tinyFormat });
    const text = `{"messages":[${first}${rest}]}`;
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(memory.read(chunked(text), '/v1/turn').parsed).toBe(false);

    const sent = memory.read(chunked(`{"messages":[${first}]}`), '/v1/turn');
    const reply = { message: { role: 'assistant', content: 'r' } } as const;
    sent.settle(graph.commit(sent.at, sent.tail, reply, { timestamp: 1 }));
    expect(memory.read(chunked(text), '/v1/turn').parsed).toBe(false);
  },
);
