import { VfError } from '@vf/core/errors';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRewardJson, parseRewardText } from './reward-file.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test.each([
  ['1', 1],
  [' 0.5\n', 0.5],
  ['-1', -1],
  ['+.5', 0.5],
  ['1.', 1],
  ['1e-3', 0.001],
  ['1_0', 10],
])('reward.txt %j', (text, reward) => {
  expect(parseRewardText(bytes(text))).toEqual({ reward });
});

test.each([
  '',
  ' \n',
  'nan',
  'inf',
  '-Infinity',
  'pass',
  '1 2',
  '1,5',
  '0x10',
  '_1',
  '1__0',
  '1e400',
  '.',
])('no reward.txt: %j', (text) => {
  expect(() => parseRewardText(bytes(text))).toThrow('reward.txt');
});

test('reward.json: finite numbers by key, true and false among them', () => {
  expect(parseRewardJson(bytes('{"reward": 0.25, "a": true, "b": false, "c": -2}'))).toEqual({
    reward: 0.25,
    a: 1,
    b: 0,
    c: -2,
  });
  expect(parseRewardJson(bytes('{}'))).toEqual({});
});

test.each([
  '',
  '1',
  '[1]',
  'null',
  '"1"',
  '{"reward": "1"}',
  '{"reward": null}',
  '{"reward": {"a": 1}}',
  '{"reward": NaN}',
  '{"reward": 1e400}',
  '{"reward": Infinity}',
  '{"reward": 1',
  '\uFEFF{"reward": 1}',
])('no reward.json: %j', (text) => {
  expect(() => parseRewardJson(bytes(text))).toThrow('reward.json');
});

test('bytes that are no text', () => {
  expect(() => parseRewardText(Uint8Array.of(0xff, 0xfe))).toThrow('UTF-8');
});

test('any finite number is read back, and nothing else gets through', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(parseRewardText(bytes(`${value}\n`))['reward']).toBeCloseTo(value, 12);
      expect(parseRewardJson(bytes(JSON.stringify({ r: value })))['r']).toBeCloseTo(value, 12);
    }),
  );
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(readAsJson(text)).toSatisfy(
        (read) => read === 'scoring/invalid_score' || Object.values(read).every(Number.isFinite),
      );
    }),
  );
});

function readAsJson(text: string) {
  try {
    return parseRewardJson(bytes(text));
  } catch (error) {
    if (VfError.isInstance(error)) return error.code;
    throw error;
  }
}
