import type { Store } from '@vf/testkit/conformance';
import {
  RunWriter,
  episodes,
  isLive,
  readEpisode,
  readIndex,
  readJournals,
  readPlan,
} from '../src/index.ts';
import type { IndexEntry } from '../src/index.ts';

/** Run folders as the contract of stores has them. */
const store: Store = {
  create: (run) => RunWriter.create(run),
  resume: (dir) => RunWriter.resume(dir),
  readIndex,
  readEpisode: (dir: string, entry: IndexEntry) => readEpisode(dir, entry),
  episodes,
  readJournals,
  readPlan,
  isLive,
};
export default store;
