import { expect, test } from 'vitest';
import { needsOfBuildKit } from './dockerfile-needs.ts';

const told = (text: string): string[] =>
  needsOfBuildKit(text).map(({ line, what }) => `${line} ${what}`);

test.each([
  ['RUN echo --mount=no', []],
  ['RUN cat <<<word', []],
  ['COPY --chown=1:1 a b', []],
  ['# RUN --mount=type=cache x', []],
  ['ENV a=<<EOF', []],
  ['FROM x\n# syntax=too/late', []],
  ['# syntax=docker/dockerfile:1\nFROM x', ['1 # syntax']],
  ['FROM x\nRUN --mount=type=cache,target=/c \\\n  make', ['2 RUN --mount']],
  [
    'FROM x\nRUN --network=none \\\n # why\n --mount=type=tmpfs,target=/t make',
    ['2 RUN --network'],
  ],
  ['FROM x\ncopy --from=a --link a b', ['2 COPY --link']],
  ['ADD --checksum=sha256:0 http://x /', ['1 ADD --checksum']],
  [
    "FROM x\nRUN <<'EOF'\nRUN --mount=none\nEOF\nRUN --mount=a b",
    ['2 RUN with a heredoc', '5 RUN --mount'],
  ],
  ['COPY <<a <<-b /to/\nx\na\ny\nb\nRUN x', ['1 COPY with a heredoc']],
])('%j needs BuildKit for %j', (text, expected) => {
  expect(told(text)).toEqual(expected);
});
