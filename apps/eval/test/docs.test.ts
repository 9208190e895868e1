import { errorCodes, familyOf, isInfrastructure } from '@vf/core/errors';
import { expect, test } from 'vitest';

const head = `# Errors

Every error of vf has a permanent code. The first line on the screen says what is wrong, then come the places, then what to type,
and the code last. Codes whose family says nothing about the agent are tried again and played again by \`vf resume\`; the others
stay until you ask for them with \`--include FAMILY\`. No error is ever scored as 0.

This page is made from the list in \`@vf/core\` by a test.
`;

/** What becomes of a rollout that ended with it; of errors before the first rollout nothing. */
function fateOf(code: string): string {
  if (isInfrastructure(code)) return 'resumed';
  return /^(harness|taskset|scoring|training)\//.test(code)
    ? `\`--include ${familyOf(code)}\``
    : '';
}

function page(): string {
  const rows = Object.entries(errorCodes).map(([code, meaning]) => [
    `\`${code}\``,
    meaning,
    fateOf(code),
  ]);
  const cells = [['code', 'what it says', 'resume'], ...rows];
  const widths = [0, 1, 2].map((column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [titles = [], ...body] = cells;
  return `${[head, line(titles), rule, ...body.map(line)].join('\n')}\n`;
}

test('docs/errors.md lists every code (pnpm exec vitest run -u docs.test writes it)', async () => {
  await expect(page()).toMatchFileSnapshot('../../../docs/errors.md');
});
