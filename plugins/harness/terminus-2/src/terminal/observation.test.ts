import { assert, integer, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { limited, observe, screenOf } from './observation.ts';

test('what is new begins with the line that was typed into', () => {
  const before = 'box$ \n\n\n';
  const now = 'box$ echo hi\nhi\nbox$ \n';
  expect(observe(before, now, 3)).toEqual({ kind: 'new', text: 'box$ echo hi\nhi\nbox$' });
});

test('the screen: at first, when nothing is new, and when the rest was cleared', () => {
  expect(observe(null, 'box$ \n\n', 2)).toEqual({ kind: 'screen', text: 'box$' });
  expect(observe('box$ \n\n', 'box$ \n\n', 2)).toEqual({ kind: 'screen', text: 'box$' });
  expect(observe('a\nb\nbox$\n', 'top - 1\n2\n', 2)).toEqual({
    kind: 'screen',
    text: 'top - 1\n2',
  });
});

test('all that is shown after a blank screen', () => {
  expect(observe('\n\n', 'box$ seq 3\n1\n2\n3\nbox$\n', 2)).toEqual({
    kind: 'new',
    text: 'box$ seq 3\n1\n2\n3\nbox$',
  });
  expect(observe('\n\n', '\n\n', 2)).toEqual({ kind: 'screen', text: '' });
});

test('the screen is the last rows', () => {
  expect(screenOf('1\n2\n3\n\n', 2)).toBe('3');
  expect(screenOf('1\n2\n3\n4\n', 2)).toBe('3\n4');
});

test('both ends of a long text are kept, and say how much is left out', () => {
  expect(limited('short', 10)).toBe('short');
  expect(limited('a'.repeat(50) + 'b'.repeat(50), 20)).toBe(
    `${'a'.repeat(10)}\n[… 80 bytes left out …]\n${'b'.repeat(10)}`,
  );
});

test('no character is cut in two', () => {
  assert(
    property(
      string({ unit: 'binary', minLength: 30 }),
      integer({ min: 4, max: 40 }),
      (text, max) => {
        const cut = limited(text.toWellFormed(), max);
        expect(cut.includes('\uFFFD')).toBe(
          text.toWellFormed().includes('\uFFFD') && cut.includes('\uFFFD'),
        );
        const [head = ''] = cut.split('\n[… ');
        expect(text.toWellFormed().startsWith(head)).toBe(true);
      },
    ),
  );
});
