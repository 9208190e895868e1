import { expect, test } from 'vitest';
import { markOf, membersOf, membershipOf } from './members.ts';
import { parsePs } from '@vf/runtime-kit';

const entry = (pid: number, parent: number, environment = '', cwd: string | null = null) => ({
  pid,
  parent,
  environment,
  cwd,
});
const marked = (id: string, index: number): string =>
  Object.entries(markOf(id, index))
    .map(([name, value]) => `A=b\0${name}=${value}\0`)
    .join('');

const table = [
  entry(10, 1, marked('box-a', 1)),
  entry(11, 10, 'PATH=/bin'),
  entry(12, 11),
  entry(20, 1, marked('box-a', 12)),
  entry(30, 1, '', '/boxes/box-a/work'),
  entry(40, 1, marked('box-b', 1), '/boxes/box-ab'),
];

test('a program is its marked processes and their descendants', () => {
  expect(membersOf(membershipOf('box-a', 1), table)).toEqual([10, 11, 12]);
});

test('a box is all of its programs and what works in its folder', () => {
  const box = { ...membershipOf('box-a'), folder: '/boxes/box-a' };
  expect(membersOf(box, table)).toEqual([10, 20, 30, 11, 12]);
});

test('a root that is gone is not among them, and neither is this process', () => {
  const own = entry(process.pid, 1, marked('box-a', 1));
  const roots = { ...membershipOf('box-c', 1), roots: [11, 999] };
  expect(membersOf(roots, table)).toEqual([11, 12]);
  expect(membersOf(membershipOf('box-a', 1), [own])).toEqual([]);
});

test('reads what ps says on systems without /proc', () => {
  const text = '  10     1 S    sleep 600 VF_BOX=box-a.1. HOME=/x\n  11    10 Z    (sh)\n';
  expect(parsePs(text)).toEqual([entry(10, 1, 'sleep 600 VF_BOX=box-a.1. HOME=/x')]);
});
