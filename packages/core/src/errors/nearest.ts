/** The candidate a typo most likely meant: least edits, at most a third of its length; null when none is close. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  let best: string | null = null;
  let fewest = Infinity;
  for (const candidate of candidates) {
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (edits < fewest && edits <= Math.max(1, Math.ceil(candidate.length / 3))) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
