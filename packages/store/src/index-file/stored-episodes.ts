import { isDamagedLine } from './entry-line.ts';
import { scanIndex } from './scan-index.ts';
import { scanTraces } from './scan-traces.ts';

/** Ids of all episodes in `traces.jsonl`, replayed ones included. */
export async function storedEpisodes(dir: string): Promise<Set<string>> {
  const ids = new Set<string>();
  const { tracesEnd } = await scanIndex(dir, (head) => {
    if (!isDamagedLine(head)) ids.add(head.episode);
  });
  for await (const entry of scanTraces(dir, tracesEnd)) {
    if (!isDamagedLine(entry)) ids.add(entry.episode);
  }
  return ids;
}
