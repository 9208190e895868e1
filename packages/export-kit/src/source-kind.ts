import type { Trace } from '@vf/core';

/** Real inference, or data that was made. */
export type SourceKind = 'captured' | 'fixture';

/** What a trace says of itself in `info.source_kind`; the producer's own claim, and without one real inference. */
export function sourceKindOf({ info }: Pick<Trace, 'info'>): SourceKind {
  return info['source_kind'] === 'fixture' ? 'fixture' : 'captured';
}
