import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { finalAnswer } from './final-answer.ts';

test.each([
  ['#### 18', 18],
  ['She makes $18.\n####18', 18],
  ['####  $1,450,000', 1_450_000],
  ['#### -5', -5],
  ['#### −5', -5],
  ['#### -$5.50 a day', -5.5],
  ['#### $-5', -5],
  ['#### **18**', 18],
  [String.raw`#### \$18`, 18],
  [String.raw`#### \(18\)`, 18],
  [String.raw`#### \boxed{18}`, 18],
  ['#### 18 dollars (2 left over)', 18],
  ['first #### 3\nno, wait\n#### 4', 4],
  [String.raw`so \boxed{70{,}000}`, 70_000],
  [String.raw`so \boxed{70\,000} dollars in 2 years`, 70_000],
  [String.raw`so \boxed{\text{about } 12.50 \text{ dollars}}.`, 12.5],
  [String.raw`\boxed{x = 7}`, 7],
  [String.raw`\boxed{\frac{1}{2}} of 10`, 0.5],
  [String.raw`\boxed{3} then #### 4`, 4],
  [String.raw`#### 3 then \boxed{4}`, 4],
  [String.raw`\boxed{12`, 12],
])('marked: %s', (reply, value) => {
  expect(finalAnswer(reply)).toEqual({ value, marked: true });
});

test.each([
  ['18', 18],
  ['The answer is 18.', 18],
  ['The answer is -18.', -18],
  ['16-3', 3],
  ['16 - 3 = 13', 13],
  ['(2 + 5) - 3', 3],
  ['see step-3', 3],
  ['It costs $1,000.50, all told.', 1000.5],
  ['about 150%', 150],
  ['.5 of it', 0.5],
  ['a share of 3/4', 0.75],
  ['2e3 grains', 2000],
  ['70\u202f000', 70_000],
  ['#### Step 4: add up\nThe total is 20', 20],
  ['#### <answer>\n7', 7],
  [String.raw`the answer, boxed: \boxed{} 9`, 9],
])('without a mark, the last number: %s', (reply, value) => {
  expect(finalAnswer(reply)).toEqual({ value, marked: false });
});

test.each(['', 'no idea', '####', String.raw`\boxed{}`, '1/0', '-', '$ .'])(
  'no number: %j',
  (reply) => {
    expect(finalAnswer(reply)).toBeNull();
  },
);

test('every way to write a number behind a mark gives that number', () => {
  const number = fc.integer({ min: -100_000_000, max: 100_000_000 }).map((cents) => cents / 100);
  const before = fc.constantFrom('', 'We have 3 and 4.\n', 'So: ', 'x = 2 - 1\n');
  const style = fc.constantFrom(
    (text: string) => `#### ${text}`,
    (text: string) => `####$${text}`,
    (text: string) => `#### ${text} apples`,
    (text: string) => String.raw`\boxed{${text}}`,
    (text: string) => String.raw`$\boxed{\$${text}}$`,
    (text: string) => String.raw`\boxed{${text.replaceAll(',', '{,}')}}`,
  );
  fc.assert(
    fc.property(number, before, style, fc.boolean(), (value, said, mark, commas) => {
      const text = commas
        ? value.toLocaleString('en-US', { maximumFractionDigits: 2 })
        : `${value}`;
      expect(finalAnswer(said + mark(text))).toEqual({ value, marked: true });
    }),
  );
});

test('no text makes it throw or give something that is not a finite number', () => {
  const pieces = fc.constantFrom(
    '####',
    '\\boxed{',
    '}',
    '1',
    ',',
    '.',
    '-',
    '/',
    '0',
    '$',
    ' ',
    'e',
    '\n',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces).map((all) => all.join('')),
      ),
      (text) => {
        const found = finalAnswer(text);
        expect(found === null || Number.isFinite(found.value)).toBe(true);
      },
    ),
  );
});
