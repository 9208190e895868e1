import type { Dialect } from '@vf/core';
import type { MessageGraph } from '@vf/core/trace';
import type { Head } from './head.ts';
import type { Span } from './json-walk.ts';
import type { NewItems } from './new-items.ts';
import type { Rooted } from './root.ts';
import type { Rope } from './rope.ts';
import type { Shell } from './shell.ts';

/** What a reading is made of. */
export interface ReadingParts {
  readonly graph: MessageGraph;
  readonly dialect: Pick<Dialect, 'request'>;
  readonly body: readonly Uint8Array[];
  readonly rope: Rope;
  readonly path: string;
  readonly shell: Shell;
  readonly rooted: Rooted;
  /** Null when the request has no growing array. */
  readonly items: { readonly inside: Span; readonly fresh: NewItems } | null;
  remember(head: Head, fresh: NewItems): void;
  /** What was sent before stands elsewhere in the graph now. */
  forget(): void;
}
