import { expect, test } from 'vitest';
import { newestOf } from './dataset-name.ts';
import { parseRepository } from './repository.ts';

test.each([
  ['acme/tasks', ['https://github.com/acme/tasks.git', null, null]],
  ['acme/tasks@v2', ['https://github.com/acme/tasks.git', 'v2', null]],
  ['gitlab.com/acme/tasks', ['https://gitlab.com/acme/tasks', null, null]],
  ['https://host/a/b@main', ['https://host/a/b', 'main', null]],
  ['https://host/a/b/tree/dev/sets/one', ['https://host/a/b', 'dev', 'sets/one']],
  ['https://gitlab.com/a/b/-/tree/dev/', ['https://gitlab.com/a/b', 'dev', null]],
  ['https://me:secret@host/a/b', ['https://me:secret@host/a/b', null, null]],
  ['git@host:acme/tasks.git@v1', ['git@host:acme/tasks.git', 'v1', null]],
])('%s', (source, [url, ref, folder]) => {
  expect(parseRepository(source)).toEqual({ url, ref, folder });
});

test.each(['./tasks', '/tasks', 'tasks', '--upload-pack=x', 'https://h/a/b/tree/x@y'])(
  'no repository: %s',
  (source) => {
    expect(() => parseRepository(source)).toThrow(/is no git repository|names two refs/);
  },
);

test('the newest version', () => {
  expect(newestOf(['1.9', '1.10', '1.10rc1'])).toBe('1.10');
  expect(newestOf(['2', 'head'])).toBe('head');
  expect(newestOf(['alpha', 'beta'])).toBe('beta');
  expect(newestOf([])).toBeUndefined();
});
