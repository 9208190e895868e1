import type { RuntimeApi } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { hostProgram } from '@vf/harness-kit';
import type { HostProgram } from '@vf/harness-kit';

/** tmux starts in UTF-8 alone, and an image may have no such locale. */
const brought: HostProgram = {
  name: 'tmux',
  files: { '/usr/lib/locale/C.utf8': 'locale/C.utf8' },
  prelude: 'export LOCPATH="$root/locale"\n',
};

/**
 * The tmux to use in a box: its own, or a copy of this machine's.
 * @throws VfError harness/install_failed when there is neither
 */
export async function installTmux(runtime: RuntimeApi, signal: AbortSignal): Promise<string> {
  const own = await runtime.run(['sh', '-c', 'command -v tmux'], { signal });
  if (own.exitCode === 0) return own.stdout.trim();
  const copy = await hostProgram(brought, runtime, signal);
  if (copy !== null) return copy;
  throw new VfError(
    'harness/install_failed',
    'terminus-2 needs tmux: there is none in the box, and none of this machine that runs there',
    { hint: 'install tmux on this machine, or use an image that has it' },
  );
}
