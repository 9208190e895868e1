import { expect, test } from 'vitest';
import { checkRow } from '../src/tasks/check-row.ts';

const user = (...content: unknown[]) => [
  { role: 'system', content: 'Look.' },
  { role: 'user', content },
];
const url = 'data:image/png;base64,AAAA';

test.each([
  ['text', 'Look at it.'],
  ['messages', user({ type: 'text', text: 'this' })],
  ['an image', user({ type: 'image', url })],
  [
    'an item of the dialect',
    user({ type: 'native', native: { type: 'image_url', image_url: { url } } }),
  ],
  ['a reply without text', [{ role: 'assistant', content: null, toolCalls: [] }, ...user()]],
])('%s is a prompt', (_what, prompt) => {
  expect(checkRow({ prompt }, undefined, 0)).toMatchObject({ task: { prompt } });
});

const image = /an image is \{ type: 'image', url: /;

test.each<[what: string, prompt: unknown, path: string, given: RegExp, accepted: RegExp]>([
  [
    'Chat Completions',
    user({ type: 'image_url', image_url: { url } }),
    '1.content.0',
    /^is of type "image_url"/,
    image,
  ],
  [
    'Responses',
    user({ type: 'text', text: 'a' }, { type: 'input_image', image_url: url }),
    '1.content.1',
    /"input_image"/,
    image,
  ],
  [
    'Messages',
    user({ type: 'image', source: { type: 'url', url } }),
    '1.content.0.url',
    /^/,
    image,
  ],
  [
    'text of Responses',
    user({ type: 'input_text', text: 'a' }),
    '1.content.0',
    /"input_text"/,
    /\{ type: 'text', text \}.*'native'/,
  ],
  [
    'a part without a type',
    user({ text: 'a' }),
    '1.content.0',
    /an object without type/,
    /\{ type: 'text', text \}/,
  ],
  ['text in a list', user('a'), '1.content.0', /^is "a"/, /a part is \{ type: 'text', text \}/],
  [
    'content that is an object',
    [{ role: 'user', content: { text: 'a' } }],
    '0.content',
    /^is an object/,
    /content is text, or a list/,
  ],
  ['no content', [{ role: 'user' }], '0.content', /^is missing/, /content is text/],
  [
    'parts in a reply',
    [{ role: 'assistant', content: [] }],
    '0.content',
    /^is an empty list/,
    /text or null/,
  ],
  [
    'a role that is none',
    [{ role: 'developer', content: 'a' }],
    '0',
    /^is of role "developer"/,
    /system, user, assistant or tool/,
  ],
  ['a message that is text', ['a'], '0', /^is "a"/, /\{ role, content \}/],
])(
  'an odd part is told with its place and the accepted form: %s',
  (_what, prompt, path, given, accepted) => {
    const checked = checkRow({ prompt }, undefined, 3);
    if (!('problems' in checked)) throw new Error('it passed');
    const [problem] = checked.problems;
    expect(problem?.path).toBe(`row 3.prompt.${path}`);
    expect(problem?.message).toMatch(given);
    expect(problem?.message).toMatch(accepted);
  },
);

test.each([7, {}, true])('a prompt that is %j is told with what one is', (prompt) => {
  expect(checkRow({ prompt }, undefined, 0)).toMatchObject({
    problems: [
      {
        path: 'row 0.prompt',
        message: expect.stringMatching(/; a prompt is text or a list of messages$/),
      },
    ],
  });
});

test('a long text in a wrong place is told by its beginning', () => {
  expect(checkRow({ prompt: user('x'.repeat(100_000)) }, undefined, 0)).toMatchObject({
    problems: [
      {
        path: 'row 0.prompt.1.content.0',
        message: expect.stringMatching(/^is "x{59}…; a part is/) as string,
      },
    ],
  });
});

test.each([{ prompt: 5n }, { prompt: [{ role: 'user', content: 5n }] }, { prompt: user(5n) }])(
  'what is no JSON is told in its place: %o',
  (row) => {
    expect(checkRow(row, undefined, 0)).toMatchObject({
      problems: expect.arrayContaining([
        expect.objectContaining({ path: expect.stringMatching(/^row 0\.prompt/) as string }),
      ]) as unknown,
    });
  },
);
