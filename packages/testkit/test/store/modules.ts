import type { Fault } from './faults.ts';
import { smallStore } from './small-store.ts';

/** The small store for processes that import it; the fault stands behind `?` in the address. */
export default smallStore((new URL(import.meta.url).search.slice(1) as Fault | '') || null);
