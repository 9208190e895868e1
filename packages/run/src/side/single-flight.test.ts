import { expect, test } from 'vitest';
import { SingleFlight } from './single-flight.ts';

const { signal } = new AbortController();

/** Work that ends when it is told to. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let starts = 0;
  const work = (): Promise<string> => {
    starts++;
    return promise;
  };
  return { work, resolve, reject, starts: () => starts };
}

test('who comes meanwhile gets the same outcome, who comes later starts anew', async () => {
  const flights = new SingleFlight();
  const { work, resolve, starts } = held();
  const both = [flights.run('a', signal, work), flights.run('a', signal, work)];
  const other = flights.run('b', signal, async () => 'b');
  resolve('yes');
  expect(await Promise.all([...both, other])).toEqual(['yes', 'yes', 'b']);
  expect(starts()).toBe(1);
  await flights.run('a', signal, work);
  expect(starts()).toBe(2);
});

test('a failure is shared, too', async () => {
  const flights = new SingleFlight();
  const { work, reject } = held();
  const both = [flights.run('a', signal, work), flights.run('a', signal, work)];
  reject(new Error('broken'));
  for (const one of both) await expect(one).rejects.toThrow('broken');
});

test('work that its starter gave up is done again by who still waits', async () => {
  const flights = new SingleFlight();
  const gone = new AbortController();
  const { work, reject } = held();
  const first = flights.run('a', gone.signal, work);
  const second = flights.run('a', signal, async () => 'mine');
  gone.abort(new Error('cancelled'));
  reject(new Error('cancelled'));
  await expect(first).rejects.toThrow('cancelled');
  expect(await second).toBe('mine');
  await expect(flights.run('a', gone.signal, work)).rejects.toThrow('cancelled');
});
