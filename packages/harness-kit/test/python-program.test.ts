import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RuntimeApi } from '@vf/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pythonProgram } from '../src/index.ts';
import { noRuntime, signal } from './loop-rig.ts';

const program = {
  name: 'Acme',
  package: 'acme-agent',
  version: '1.2.3',
  script: 'acme',
  python: '3.8',
};

let root: string;
const keys: string[] = [];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'vf-python-test-'));
});
afterEach(() => rm(root, { recursive: true }));

const runtime: RuntimeApi = {
  ...noRuntime,
  platform: { os: 'linux', arch: process.arch, libc: null },
  async toolbox({ key, fill }, toolboxSignal) {
    keys.push(key);
    const fresh = await mkdtemp(join(root, 'fresh-'));
    await fill(fresh, toolboxSignal);
    await rename(fresh, join(root, 'folder'));
    return join(root, 'folder');
  },
};

/** An installer in the place of uv, ahead of the machine's own. */
async function fakeUv(script: string): Promise<void> {
  const bin = join(root, 'bin');
  await mkdir(bin, { recursive: true });
  const text = `#!/bin/sh\necho "$*" > "${root}/args"\n${script}\n`;
  await writeFile(join(bin, 'uv'), text, { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}:${process.env['PATH'] ?? ''}`);
}

/** A package whose console script prints what it sees. */
const install = `
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/acme" "$2/acme_agent-1.2.3.dist-info"
cat > "$2/acme/__init__.py" <<'EOT'
import ssl, sqlite3, sys
def main():
    print(sys.argv, sys.prefix)
EOT
printf '[console_scripts]\\nacme = acme:main\\n' > "$2/acme_agent-1.2.3.dist-info/entry_points.txt"
printf 'Metadata-Version: 2.1\\nName: acme-agent\\nVersion: 1.2.3\\n' > "$2/acme_agent-1.2.3.dist-info/METADATA"
`;

test('runs from its folder, whatever the box says of Python', { timeout: 60_000 }, async () => {
  await fakeUv(install);
  const paths = await pythonProgram(program, runtime, signal);
  expect(paths.program).toBe(join(root, 'folder/bin/acme'));
  expect(keys.at(-1)).toBe(`acme-agent@1.2.3-linux-${process.arch}-python`);
  const env = { PYTHONHOME: '/nowhere', PYTHONPATH: '/nowhere', PATH: '/bin:/usr/bin' };
  const said = execFileSync(paths.program, ['a b'], { encoding: 'utf8', env, cwd: '/' });
  expect(said).toBe(`['acme', 'a b'] ${root}/folder/python\n`);
  const python = ['-c', 'import acme; print(acme.__name__)'];
  expect(execFileSync(paths.python, python, { encoding: 'utf8', env })).toBe('acme\n');
});

test.each([
  ['No solution found when resolving', 'pip index versions acme-agent'],
  ['No space left on device', 'VF_CACHE_DIR'],
  ['something else', 'pip install acme-agent'],
])('"%s" is told with a hint', { timeout: 60_000 }, async (words, hint) => {
  await fakeUv(`echo before >&2; echo '${words}' >&2; exit 1`);
  await expect(pythonProgram(program, runtime, signal)).rejects.toMatchObject({
    code: 'harness/install_failed',
    message: expect.stringContaining(`before\n${words}`) as string,
    hint: expect.stringContaining(hint) as string,
  });
});

test('a machine without a Python that is new enough is told so', async () => {
  const wanted = { ...program, python: '3.99' };
  await expect(pythonProgram(wanted, runtime, signal)).rejects.toMatchObject({
    code: 'harness/install_failed',
    message: 'Acme needs Python 3.99 or newer on this machine, and there is none on PATH',
    hint: 'uv python install 3.13',
  });
});

test('a box of another kind, or one that sees nothing of the host, is told so', async () => {
  const elsewhere = { ...runtime, platform: { os: 'linux', arch: 's390x', libc: null } } as const;
  await expect(pythonProgram(program, elsewhere, signal)).rejects.toMatchObject({
    code: 'harness/install_failed',
    message: 'Acme cannot be brought to linux on s390x',
  });
  const blind = { ...runtime, toolbox: async () => null };
  await expect(pythonProgram(program, blind, signal)).rejects.toMatchObject({
    code: 'harness/install_failed',
    hint: expect.stringContaining('--runtime') as string,
  });
});
