import type { AnyHook, Box, NetworkPolicy } from '@vf/core';
import { keepArtifacts, noteKept } from './artifacts.ts';
import type { AttemptInit } from './attempt-init.ts';
import { boxSpecOf, otherBox } from './box-spec.ts';
import { sideChannel } from './side-channel.ts';

/** What an attempt has made by the time that a hook runs. */
interface Standing {
  readonly state: object;
  readonly box: Box;
  readonly signal: AbortSignal;
  setNetwork(policy: NetworkPolicy): Promise<void>;
}

/** What hooks of the taskset are given. */
export function hookCtx(
  { task, taskset, trace, role, boxes, services }: AttemptInit,
  { state, box, signal, setNetwork }: Standing,
): AnyHook {
  const log = services.log(trace.id);
  return {
    task: task.task,
    config: taskset?.config ?? {},
    state,
    runtime: box,
    trace,
    signal,
    log,
    openBox: (spec) =>
      boxes.open(role, otherBox(boxSpecOf(task, services), spec), trace.id, services, signal),
    keep: async (artifacts, from) => {
      const dir = services.artifactDir(trace.id);
      if (dir !== null)
        noteKept(trace, await keepArtifacts(artifacts, from ?? box, dir, signal), log);
    },
    setNetwork,
    secret: (name) => services.secret(name),
    sideModel: (declared) => sideChannel(services.sideModels, declared, { trace, signal }),
  };
}
