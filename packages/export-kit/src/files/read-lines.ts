import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

/**
 * The lines of a file, split at line feeds alone: JSON may hold the other line ends of Unicode as they are. The last
 * one needs no line feed.
 */
export async function* readLines(path: string): AsyncGenerator<string, void> {
  const decoder = new StringDecoder('utf8');
  let rest: string[] = [];
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 })) {
    const [first = '', ...others] = decoder.write(chunk as Buffer).split('\n');
    rest.push(first);
    for (const line of others) {
      yield rest.join('');
      rest = [line];
    }
  }
  const last = rest.join('') + decoder.end();
  if (last !== '') yield last;
}
