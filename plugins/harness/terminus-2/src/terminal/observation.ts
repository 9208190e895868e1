/** What a terminal shows that it did not show before. */
export interface Observation {
  readonly kind: 'new' | 'screen';
  readonly text: string;
}

/**
 * Compares a capture of everything shown with the one before. When that one stands in it, the rest is new, from its
 * last line on, which may have been typed into; else, or when nothing is new, it is the screen. After a blank one, of
 * a shell that was slow to draw its prompt, all is new.
 */
export function observe(before: string | null, now: string, height: number): Observation {
  const known = before?.trimEnd() ?? '';
  const at = before === null ? -1 : now.indexOf(known);
  if (at >= 0) {
    const lastLine = known.length - (known.lastIndexOf('\n') + 1);
    const text = now.slice(at + known.length - lastLine).trimEnd();
    if (text.length > lastLine) return { kind: 'new', text };
  }
  return { kind: 'screen', text: screenOf(now, height) };
}

/** The last rows of a capture. */
export function screenOf(capture: string, height: number): string {
  const rows = capture.replace(/\n$/, '').split('\n');
  return rows.slice(-height).join('\n').trimEnd();
}

/** Both ends of a text that is longer than so many bytes; no character is cut in two. */
export function limited(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const half = Math.floor(maxBytes / 2);
  let head = half;
  while (isInside(bytes[head])) head--;
  let tail = bytes.length - half;
  while (isInside(bytes[tail])) tail++;
  const first = bytes.subarray(0, head).toString();
  return `${first}\n[… ${tail - head} bytes left out …]\n${bytes.subarray(tail).toString()}`;
}

/** Is this byte in the middle of a character? */
function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
