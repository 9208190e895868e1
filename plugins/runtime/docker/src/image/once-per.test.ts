import { expect, test } from 'vitest';
import { oncePer } from './once-per.ts';

test('an outcome is shared, and a failure that passes is forgotten', async () => {
  const tried: string[] = [];
  const once = oncePer<number>((error) => String(error).includes('passing'));
  const fail = (words: string) => async (): Promise<number> => {
    tried.push(words);
    throw new Error(words);
  };
  const both = [once('a', fail('lasting')), once('a', fail('lasting'))];
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ]);
  await expect(once('a', fail('lasting'))).rejects.toThrow('lasting');
  await expect(once('b', fail('passing'))).rejects.toThrow('passing');
  expect(await once('b', async () => 7)).toBe(7);
  expect(await once('b', fail('never'))).toBe(7);
  expect(tried).toEqual(['lasting', 'passing']);
});
