import type { RuntimeApi } from '@vf/core';
import { vi } from 'vitest';
import { output } from '../runtime/shell.ts';

// The pattern comes by standard input, so that the search does not find itself.
const byEnvironment = `needle=$(cat); for dir in /proc/[0-9]*; do
  case "$(tr '\\0' ' ' < $dir/environ 2>/dev/null)" in *"$needle"*) tr '\\0' ' ' < $dir/cmdline; echo ;; esac
done 2>/dev/null`;

const byArguments = `needle=$(cat); for dir in /proc/[0-9]*; do
  case "$(tr '\\0' ' ' < $dir/cmdline 2>/dev/null)" in *"$needle"*) echo $dir ;; esac
done 2>/dev/null`;

/** Command lines of this rollout's processes in the box once they had time to end; '' when there are none. */
export async function processesLeft(box: RuntimeApi, rolloutId: string): Promise<string> {
  const left = (): Promise<string> =>
    output(box, byEnvironment, [], { stdin: `VF_ROLLOUT_ID=${rolloutId}` });
  await vi.waitUntil(async () => (await left()) === '', { timeout: 15_000 }).catch(() => null);
  return left();
}

/** Processes of the box with this text in their arguments. */
export function processesNaming(box: RuntimeApi, text: string): Promise<string> {
  return output(box, byArguments, [], { stdin: text });
}

/** Files below the workdir with this text in them. */
export function filesNaming(box: RuntimeApi, text: string): Promise<string> {
  return output(box, 'grep -rlF -f - . || true', [], { stdin: text });
}
