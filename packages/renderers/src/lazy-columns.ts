import type { Rendered } from './rendered.ts';

type Column = 'messageIndices' | 'sampledMask' | 'isContent' | 'parts';

/** What was rendered, with columns that are made when they are asked for first, and kept. */
export function withColumns(
  known: Omit<Rendered, Column>,
  make: { readonly [C in Column]: () => Rendered[C] },
): Rendered {
  const messageIndices = once(make.messageIndices);
  const sampledMask = once(make.sampledMask);
  const isContent = once(make.isContent);
  const parts = once(make.parts);
  return {
    ...known,
    get messageIndices() {
      return messageIndices();
    },
    get sampledMask() {
      return sampledMask();
    },
    get isContent() {
      return isContent();
    },
    get parts() {
      return parts();
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
