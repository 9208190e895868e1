/**
 * Where the author's own code threw: `file:line:column` of the first frame that is neither Node's, a dependency's
 * nor vf's, or the place that a SyntaxError is about; null when there is none.
 * @param stack of an Error, as V8 writes it
 */
export function thrownAt(stack: string): string | null {
  const pointed = pointedAt(stack);
  if (pointed !== null) return isForeign(pointed) ? null : pointed;
  for (const line of framesOf(stack)) {
    const place = placeOf(line);
    if (place !== null && !isForeign(place)) return place;
  }
  return null;
}

/** Of text that does not parse, Node shows the place before the message: file and line, the line itself, carets. */
function pointedAt(stack: string): string | null {
  const [head = '', ...lines] = stack.split('\n');
  const [, place = '', line] = /^(?:file:\/\/)?(\/.*?):(\d+)$/.exec(head) ?? [];
  const carets = lines.find((text) => /^\s*\^+\s*$/.test(text));
  if (line === undefined || carets === undefined) return null;
  const file = head.startsWith('file://') ? decodeURIComponent(place) : place;
  return `${file}:${line}:${carets.indexOf('^') + 1}`;
}

/** The lines behind the message, which may itself hold lines that look like frames. */
function framesOf(stack: string): string[] {
  const lines = stack.split('\n');
  const last = lines.findLastIndex((line) => !/^\s+at /.test(line));
  return lines.slice(last + 1);
}

function placeOf(frame: string): string | null {
  const inside = /\(([^()]*(?:\([^()]*\)[^()]*)*)\)$/.exec(frame)?.[1];
  const text = inside ?? frame.replace(/^\s+at (?:async )?/, '');
  const [, file = '', query = '', line, column] = /^(.*?)(\?[^/]*?)?:(\d+):(\d+)$/.exec(text) ?? [];
  if (file.startsWith('file://'))
    return `${decodeURIComponent(file.slice('file://'.length))}:${line}:${column}`;
  return file.startsWith('/') ? `${file}${query}:${line}:${column}` : null;
}

function isForeign(place: string): boolean {
  return place.includes('/node_modules/') || houses.some((house) => place.startsWith(house));
}

/** Folders of vf's own code when it runs from its repository; installed, it is below node_modules. */
const houses = ((): readonly string[] => {
  const [, root] = /^file:\/\/(.*\/)(?:packages\/core|apps\/eval)\//.exec(import.meta.url) ?? [];
  return root === undefined ? [] : [`${root}packages/`, `${root}apps/`];
})();
