import { randomInt } from 'node:crypto';

const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
const idLength = 6;

/** A short run id that reads well aloud: no 0, 1, l or o. */
export function newRunId(): string {
  return Array.from({ length: idLength }, () => letters[randomInt(letters.length)]).join('');
}
