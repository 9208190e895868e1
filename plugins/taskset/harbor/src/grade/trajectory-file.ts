import { VfError } from '@vf/core/errors';
import { trajectoryOf } from '@vf/export-kit';
import type { Ctx } from '../play/play.ts';

/** Where tests look for what the agent did. */
const path = '/logs/agent/trajectory.json';

/**
 * Leaves what the agent has said and done so far in the box, for tests and hooks that read it; in place of what the agent
 * wrote there itself. Nothing for one that asked no model. One that cannot be written is noted: few tests look.
 */
export async function writeTrajectory({ trace, runtime, signal, log }: Ctx): Promise<void> {
  const trajectory = trajectoryOf(trace, { session: trace.id });
  if (trajectory === null) return;
  try {
    await runtime.write(path, `${JSON.stringify(trajectory)}\n`, { signal });
  } catch (error) {
    if (!VfError.isInstance(error)) throw error;
    log.warn('the trajectory could not be written', { path, why: error.message });
  }
}
