/**
 * `[HOST[:PORT]/]NAME[:TAG][@DIGEST]`, as engines take it.
 * Source: github.com/distribution/reference, grammar of a reference.
 */
const grammar = new RegExp(
  [
    String.raw`^(?:(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(?::\d+)?/)?`,
    String.raw`[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*)*`,
    String.raw`(?::\w[\w.-]{0,127})?(?:@[a-z][a-z0-9]*(?:[-_+.][a-z][a-z0-9]*)*:[0-9a-f]{32,})?$`,
  ].join(''),
);
const host = /^[A-Za-z0-9.-]+(?=[:/])/;

/** Can it be the name of an image? What does not pass, no engine takes. */
export function isImageName(name: string): boolean {
  return grammar.test(
    name.replace(host, (found) => (name.includes('/') ? found.toLowerCase() : found)),
  );
}

export const imageForms = '[HOST[:PORT]/]NAME[:TAG][@DIGEST], in small letters';
