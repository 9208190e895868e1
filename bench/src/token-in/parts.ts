import type { Tokenizer } from '@vf/renderers';
import { pages } from '../pages.ts';

/** So many different texts of about so many tokens each, of whole lines; fewer where the project has no more. */
export function partsOf(tokens: number, count: number, tokenizer: Tokenizer): readonly string[] {
  const parts: string[] = [];
  let lines: string[] = [];
  let length = 0;
  for (const page of pages(['packages', 'plugins', 'apps', 'tests'])) {
    for (const line of page.split('\n')) {
      lines.push(line);
      length += tokenizer.encode(line).length + 1;
      if (length < tokens) continue;
      parts.push(lines.join('\n'));
      if (parts.length === count) return parts;
      [lines, length] = [[], 0];
    }
  }
  return parts;
}
