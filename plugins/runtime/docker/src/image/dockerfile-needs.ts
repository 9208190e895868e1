/** A line of a Dockerfile that the classic builder does not understand. */
export interface BuildKitNeed {
  /** From 1. */
  readonly line: number;
  /** As it stands in the file: `RUN --mount`, `COPY with a heredoc`. */
  readonly what: string;
}

const flags: Readonly<Record<string, RegExp>> = {
  RUN: /^--(?:mount|network|security|device)\b/,
  COPY: /^--(?:link|chmod|parents|exclude)\b/,
  ADD: /^--(?:link|chmod|checksum|keep-git-dir|exclude|unpack)\b/,
};
const heredoc = /(?<!<)<<-?\s*(?<quote>["']?)(?<name>\w+)\k<quote>/g;

/**
 * What of a Dockerfile needs BuildKit: mounts and their like, heredocs, a frontend of its own.
 * Source: Dockerfile reference, parser directives and the flags of RUN, COPY and ADD.
 */
export function needsOfBuildKit(text: string): readonly BuildKitNeed[] {
  const lines = text.split(/\r?\n/);
  const needs: BuildKitNeed[] = [];
  const syntax = lines.findIndex((line) => !/^\s*#/.test(line));
  const directives = lines.slice(0, syntax === -1 ? lines.length : syntax);
  const own = directives.findIndex((line) => /^\s*#\s*syntax\s*=/i.test(line));
  if (own !== -1) needs.push({ line: own + 1, what: '# syntax' });
  for (let at = 0; at < lines.length;) {
    const { text: whole, next } = instruction(lines, at);
    const [, keyword = '', rest = ''] = /^\s*(\w+)\s+([^]*)$/.exec(whole) ?? [];
    const name = keyword.toUpperCase();
    const flag = rest.split(/\s+/).find((word) => flags[name]?.test(word) === true);
    if (flag !== undefined && isLeading(rest, flag)) {
      needs.push({ line: at + 1, what: `${name} ${flag.replace(/=.*$/, '')}` });
    }
    const documents = name in flags ? [...rest.matchAll(heredoc)] : [];
    if (documents.length > 0) needs.push({ line: at + 1, what: `${name} with a heredoc` });
    at = documents.reduce((from, match) => afterDocument(lines, from, match), next);
  }
  return needs;
}

/** The instruction that begins on a line, continued lines joined and comments left out. */
function instruction(lines: readonly string[], start: number): { text: string; next: number } {
  let text = '';
  let at = start;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (/^\s*#/.test(line)) {
      if (text === '') return { text: '', next: at + 1 };
      continue;
    }
    text += line.replace(/\\\s*$/, ' ');
    if (!/\\\s*$/.test(line)) break;
  }
  return { text, next: at + 1 };
}

/** Flags come before everything else of an instruction. */
function isLeading(rest: string, flag: string): boolean {
  return rest
    .slice(0, rest.indexOf(flag))
    .split(/\s+/)
    .every((word) => word === '' || word.startsWith('--'));
}

function afterDocument(lines: readonly string[], from: number, match: RegExpMatchArray): number {
  const name = match.groups?.['name'];
  const end = lines.findIndex((line, index) => index >= from && line.trim() === name);
  return end === -1 ? from : end + 1;
}
