import { expect, test } from 'vitest';
import { configSchema } from './config.ts';
import { endingOf, judged } from './evidence.ts';
import { environmentOf, literally, settingsOf } from './settings.ts';

const segment = { status: 'completed', detail: 'its last lines' } as const;

test.each([
  ['Submitted', null, segment],
  ['LimitsExceeded', null, { status: 'completed', detail: 'stopped: LimitsExceeded' }],
  ['RepeatedFormatError', null, { status: 'completed', detail: 'stopped: RepeatedFormatError' }],
  ['BadRequestError', 'it is over', { status: 'failed', detail: 'BadRequestError: it is over' }],
])('%s, by its record', (status, words, expected) => {
  const last = { role: 'exit', extra: words === null ? {} : { exception_str: words } };
  const ending = endingOf(JSON.stringify({ info: { exit_status: status }, messages: [last] }));
  expect(ending).toEqual({ status, words });
  expect(judged(segment, ending)).toEqual(expected);
});

test('without a finished record the program has the word', () => {
  for (const text of ['', '{"info": {}}', '{"info": {"exit_status": ""}}']) {
    expect(endingOf(text)).toBeNull();
  }
  expect(judged(segment, null)).toBe(segment);
});

test('a turn asks nothing and stops at no cost; the user has the last word', () => {
  const config = configSchema.parse({ maxSteps: 9, settings: { agent: { cost_limit: 3 } } });
  const ctx = { config, dialect: 'responses', model: 'm1' } as const;
  const turn = { task: 'Do it.', trajectory: '/t.json', systemTemplate: null };
  expect(settingsOf(ctx, turn)).toMatchObject({
    run: { task: 'Do it.' },
    agent: { mode: 'yolo', confirm_exit: false, step_limit: 9, cost_limit: 3 },
    environment: { timeout: 30 },
    model: { model_name: 'openai/m1', model_class: 'litellm_response' },
  });
  const endpoint = { url: 'http://h:1/x', bearer: 'b' };
  expect(environmentOf({ endpoint }, '/home')).toMatchObject({
    OPENAI_API_BASE: 'http://h:1/x/v1',
    OPENAI_API_KEY: 'b',
    MSWEA_MODEL_RETRY_STOP_AFTER_ATTEMPT: '1',
  });
});

test('nothing in a system prompt is filled in', () => {
  expect(literally('a {{ b }} {% c %} {# d #} { e }')).toBe(
    "a {{ '{' }}{ b }} {{ '{' }}% c %} {{ '{' }}# d #} { e }",
  );
});
