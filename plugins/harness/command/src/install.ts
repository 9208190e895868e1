import { createHash } from 'node:crypto';
import type { InstallCtx } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { lastLines } from '@vf/harness-kit';
import type { Config } from './config.ts';
import { fill } from './placeholders.ts';

/**
 * Runs `install` unless this machine or container has it from an earlier rollout: a mark there says which install
 * was the last one of this name, and the program must still be found.
 * @throws VfError harness/install_failed
 */
export async function installCommand(ctx: InstallCtx<Config>): Promise<void> {
  const { config, runtime, signal } = ctx;
  if (config.install === undefined) return;
  const install = config.install.map((text) => fill(text, { workdir: runtime.workdir }));
  const { stdout } = await runtime.run(['uname', '-n'], { signal });
  await inTurn(`${runtime.id} ${stdout.trim()} ${config.name}`, async () => {
    const mark = `/tmp/.vf-command-${config.name}`;
    const wanted = createHash('sha256').update(install.join('\0')).digest('hex');
    const looked = await runtime.run(['sh', '-c', isThere, mark, wanted, config.run[0] ?? ''], {
      signal,
    });
    if (looked.exitCode === 0) return;
    const ended = await runtime.run(install, { signal });
    if (ended.exitCode !== 0) throw failed(config.name, ended.stderr || ended.stdout);
    await runtime.run(['sh', '-c', 'printf %s "$1" > "$0"', mark, wanted], { signal });
  });
}

const isThere = '[ "$(cat "$0" 2>/dev/null)" = "$1" ] && command -v "$2" >/dev/null';

const underWay = new Map<string, Promise<unknown>>();

/** Boxes may share one machine, and few installers bear company. */
async function inTurn(place: string, work: () => Promise<void>): Promise<void> {
  const before = underWay.get(place) ?? Promise.resolve();
  const mine = before.then(work, work);
  underWay.set(place, mine);
  try {
    await mine;
  } finally {
    if (underWay.get(place) === mine) underWay.delete(place);
  }
}

function failed(name: string, output: string): VfError {
  const message = `${name} could not be installed; the last lines:\n${lastLines(output)}`;
  return new VfError('harness/install_failed', message, {
    hint: 'try the words of harness.install by hand, in the same box',
  });
}
