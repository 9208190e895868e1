import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { run } from '../src/commands/init.ts';

const root = resolve(import.meta.dirname, '../../..');
const fixtures = join(root, 'plugins/taskset/harbor/fixtures');
const exec = promisify(execFile);

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'vf-init-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => void vi.restoreAllMocks());
  return dir;
}

/** What npm would install, from this repository. */
async function install(dir: string): Promise<void> {
  const packages = {
    '@vf/core': 'packages/core',
    '@vf/taskset-harbor': 'plugins/taskset/harbor',
    '@types/node': 'apps/eval/node_modules/@types/node',
    typescript: 'apps/eval/node_modules/typescript',
  };
  for (const [name, path] of Object.entries(packages)) {
    const link = join(dir, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, path), link);
  }
}

test(
  'a package around Harbor tasks builds, loads them and packs them',
  { timeout: 120_000 },
  async () => {
    const dir = await folder();
    const tasks = join(dir, 'from');
    await cp(fixtures, tasks, { recursive: true });
    await chmod(join(tasks, 'hello-file/tests/test.sh'), 0o755);
    const made = join(dir, 'made');
    expect(await run(['taskset', 'chores', '--from', 'harbor', tasks, '--dir', made])).toBe(0);

    const lines = (await readFile(join(made, 'src/index.ts'), 'utf8')).trim().split('\n');
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(await readdir(join(made, 'tasks'))).toEqual(['hello-file', 'json-reward', 'two-steps']);
    const script = await stat(join(made, 'tasks/hello-file/tests/test.sh'));
    expect(script.mode & 0o111).not.toBe(0);

    const { peerDependencies, devDependencies } = JSON.parse(
      await readFile(join(made, 'package.json'), 'utf8'),
    ) as Record<string, Readonly<Record<string, string>>>;
    expect(peerDependencies).toMatchObject({ '@vf/runtime-docker': expect.stringMatching(/^\^/) });
    const readme = await readFile(join(made, 'README.md'), 'utf8');
    const typed = [...readme.matchAll(/--harness (\S+)/g)].map(([, id]) => `@vf/harness-${id}`);
    expect(typed).not.toEqual([]);
    expect(Object.keys(devDependencies ?? {})).toEqual(
      expect.arrayContaining(['@vf/runtime-docker', ...typed]),
    );

    await install(made);
    const tsc = join(made, 'node_modules/typescript/bin/tsc');
    const build = ['-p', 'tsconfig.build.json', '--customConditions', '@vf/source'];
    await exec(process.execPath, [tsc, ...build], { cwd: made });
    const load = `
    const { default: taskset } = await import('./dist/index.js');
    const config = taskset.spec.config.parse({});
    const rows = await taskset.spec.load({ config, signal: new AbortController().signal });
    console.log(JSON.stringify([...rows].map(({ key }) => key)));`;
    const node = ['--conditions=@vf/source', '--input-type=module', '-e', load];
    const { stdout } = await exec(process.execPath, node, { cwd: made });
    expect(JSON.parse(stdout)).toEqual(['hello-file', 'json-reward', 'two-steps']);

    const pack = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const packed = JSON.parse((await exec('npm', pack, { cwd: made })).stdout) as unknown;
    const text = JSON.stringify(packed);
    for (const file of ['dist/index.js', 'dist/index.d.ts', 'tasks/two-steps/task.toml'])
      expect(text).toContain(`"${file}"`);
  },
);

test.each([
  [['taskset', 'x', '--from', 'harbor'], /takes harbor and a folder/],
  [['taskset', 'x', '--from', 'other', fixtures], /takes harbor and a folder/],
  [['harness', 'x', '--from', 'harbor', fixtures], /is of tasksets, not of harness/],
  [['taskset', 'x', '--from', 'harbor', '/nowhere'], /holds no folder with a task.toml/],
])('refused: %j', async (argv, message) => {
  await expect(run(argv)).rejects.toThrow(message);
});
