import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { makeTasks, writes } from './make-tasks.ts';

const root = resolve(import.meta.dirname, '../../..');

interface Validated {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly verdicts: readonly {
    readonly task: string;
    readonly faults: readonly string[];
    readonly notes: readonly string[];
    readonly evidence: readonly {
      readonly of: string;
      readonly info: object;
      readonly kept: string | null;
    }[];
  }[];
}

/** `vf validate harbor` over a folder, from a project that has the plugins. */
function validate(path: string, ...more: readonly string[]): Promise<Validated> {
  const bin = resolve(root, 'apps/eval/bin/vf.js');
  const out = ['--output-dir', join(path, '.out')];
  const words = ['validate', 'harbor', '--taskset.path', path, '-c', '4', ...out, ...more];
  const argv = ['--conditions=@vf/source', bin, ...words];
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      argv,
      { cwd: resolve(root, 'tests') },
      (_error, stdout, stderr) => {
        const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
        const verdicts = lines.map((line) => JSON.parse(line) as Validated['verdicts'][number]);
        done({ code: child.exitCode ?? -1, stdout, stderr, verdicts });
      },
    );
  });
}

const done = '#!/bin/sh\ntouch done.txt\n';
const asked =
  '#!/bin/sh\nif [ -f done.txt ]; then r=1; else r=0; fi\necho $r > /logs/verifier/reward.txt\n';

test(
  'vf validate lists the tasks that are unsound, many at a time',
  { timeout: 300_000 },
  async () => {
    const path = await makeTasks({
      'sound-1': {
        toml: `[environment]\ndocker_image = "debian:bookworm"\nworkdir = "/app"\nmemory_mb = 999_000_000\n`,
        solution: done,
        tests: asked,
      },
      'sound-2': { solution: done, tests: asked },
      'wrong-solution': { solution: '#!/bin/sh\ntrue\n', tests: asked },
      'gives-all': { solution: done, tests: writes('1') },
      'gives-nothing': { solution: done, tests: '#!/bin/sh\n' },
      'no-solution': { tests: asked },
    });
    const { code, stderr, verdicts } = await validate(path, '--json');
    expect(stderr).toMatch(
      /^vf: task sound-1 asks for more memory than .*\n2 of 6 tasks are sound/,
    );
    expect(code).toBe(5);
    const faults = Object.fromEntries(verdicts.map((verdict) => [verdict.task, verdict.faults]));
    expect(faults).toEqual({
      'sound-1': [],
      'sound-2': [],
      'wrong-solution': [expect.stringContaining('the reference solution scores 0')],
      'gives-all': [expect.stringContaining('doing nothing scores 1')],
      'gives-nothing': [
        expect.stringMatching(
          /^the reference solution and doing nothing could not be scored.*no reward file/,
        ),
      ],
      'no-solution': [expect.stringContaining('has no solution')],
    });
  },
);

test(
  'a solution that ends with an error, a key that is none and a sidecar that ends are told, each once',
  { timeout: 300_000 },
  async () => {
    const toml = '[environment]\ndocker_image = "debian:bookworm"\nworkdir = "/app"\n';
    const path = await makeTasks({
      'exits-3': { solution: '#!/bin/sh\necho no data >&2\nexit 3\n', tests: asked },
      'windows-lines': { solution: '#!/bin/bash\r\ntouch done.txt\r\n', tests: asked },
      slip: { solution: done, tests: asked, toml: `[agent]\ntimeout_secs = 120\n${toml}` },
      sidecar: {
        solution: done,
        tests: asked,
        files: {
          'environment/docker-compose.yaml':
            'services:\n  db:\n    image: debian:bookworm\n    command: ["sh", "-c", "echo gone; exit 4"]\n',
        },
      },
    });
    const { verdicts } = await validate(path, '--json');
    const by = Object.fromEntries(verdicts.map((verdict) => [verdict.task, verdict]));
    expect(by['exits-3']).toMatchObject({
      faults: [expect.stringContaining('the reference solution scores 0')],
      notes: ['the solution ended with an error: exitCode 3, output no data'],
    });
    expect(by['windows-lines']).toMatchObject({
      faults: [expect.stringContaining('the reference solution scores 0')],
      notes: [
        expect.stringMatching(
          /^the solution ended with an error: exitCode 127[^]*Windows line ends/,
        ),
      ],
    });
    expect(by['slip']).toMatchObject({
      faults: [],
      notes: [
        'task.toml has keys that mean nothing to Harbor: keys agent.timeout_secs (nearest: timeout_sec)',
      ],
    });
    expect(by['sidecar']).toMatchObject({
      faults: [expect.stringMatching(/: service db ended with exit code 4[^]*gone/)],
    });
  },
);

test(
  'what the verifier printed is shown of unsound tasks, and its files are kept; of sound ones nothing is',
  { timeout: 300_000 },
  async () => {
    const verifier = (reward: string) =>
      `#!/bin/sh\nseq 100 | sed 's/^/line /'\necho 'expected done.txt'\n${reward}`;
    const path = await makeTasks({
      sound: { solution: done, tests: verifier(asked.replace('#!/bin/sh\n', '')) },
      'wrong solution': {
        solution: '#!/bin/sh\necho solving\n',
        tests: verifier('echo 0 > /logs/verifier/reward.txt\nexit 1\n'),
      },
      'gives-all': { solution: done, tests: verifier('echo 1 > /logs/verifier/reward.txt\n') },
    });
    const { verdicts } = await validate(path, '--json');
    const by = Object.fromEntries(verdicts.map(({ task, evidence }) => [task, evidence]));
    const ended = (code: number) => ({
      exit_code: code,
      output: expect.stringMatching(/line 99\nline 100\nexpected done.txt$/),
    });
    expect(by).toMatchObject({
      sound: [],
      'wrong solution': [
        {
          of: 'reference',
          info: { harbor: { solution: { output: 'solving' }, verifier: ended(1) } },
        },
      ],
      'gives-all': [{ of: 'nothing', info: { harbor: { verifier: ended(0) } } }],
    });
    for (const { kept } of [by['wrong solution'], by['gives-all']].flatMap((all) => all ?? []))
      expect(await readFile(join(kept ?? '', 'logs/verifier/test-stdout.txt'), 'utf8')).toMatch(
        /^line 1\nline 2\n[^]*expected done.txt\n$/,
      );

    const { stdout } = await validate(path);
    expect(stdout).toMatch(
      /^gives-all, doing nothing:\n.*exit_code 0\n.*the last 12 of 101 lines\n[^]*expected done.txt\n[^]* +kept +\S+\/validate\/harbor-\w+\/gives-all\/nothing$/m,
    );
    expect(stdout).toMatch(/^wrong solution, the reference solution:\n.*solving\n/m);
    expect(stdout).not.toMatch(/^sound/m);
    const [first] = await readdir(join(path, '.out/validate'));
    expect((await readdir(join(path, '.out/validate', first ?? ''))).toSorted()).toEqual([
      'gives-all',
      'wrong solution',
    ]);
  },
);

test(
  'a Dockerfile that fails is told once for all tasks that share it, with its last lines',
  { timeout: 300_000 },
  async () => {
    const dockerfile = 'FROM debian:bookworm\nRUN echo the disk is on fire && exit 7\n';
    const files = { 'environment/Dockerfile': dockerfile };
    const shared = { toml: '', solution: done, tests: asked, files };
    const path = await makeTasks({ a: shared, b: shared, c: shared, d: shared });
    const { stdout } = await validate(path);
    expect(stdout.match(/cannot be built/g)).toHaveLength(1);
    expect(stdout).toMatch(/^4 tasks {3}cannot be played: .*\n[^]*the disk is on fire\n[^]*: 7/);
  },
);
