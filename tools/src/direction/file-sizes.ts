import type { SourceFile } from './source-edges.ts';

const longest = 400;
const longestPluginIndex = 25;

/** Violations of the limits on the length of a file, in lines. */
export function sizeViolations(folder: string, files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length;
    const isPluginIndex = folder.startsWith('plugins/') && path === 'src/index.ts';
    const limit = isPluginIndex ? longestPluginIndex : longest;
    return lines > limit ? [`${folder}/${path}: ${lines} lines, at most ${limit}`] : [];
  });
}
