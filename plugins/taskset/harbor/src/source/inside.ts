import { posix } from 'node:path';

/** Does a relative path stay below where it starts? */
export function isInside(path: string): boolean {
  const plain = posix.normalize(path.replaceAll('\\', '/'));
  return !posix.isAbsolute(plain) && plain !== '..' && !plain.startsWith('../');
}
