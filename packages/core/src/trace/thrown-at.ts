/**
 * Where the author's own code threw: `file:line:column` of the first frame that is neither Node's, a dependency's
 * nor vf's; null when there is none.
 * @param stack of an Error, as V8 writes it
 */
export function thrownAt(stack: string): string | null {
  for (const line of framesOf(stack)) {
    const place = placeOf(line);
    if (place !== null && !isForeign(place)) return place;
  }
  return null;
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
