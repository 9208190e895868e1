import type { HarnessCtx, Log, RuntimeApi } from '@vf/core';
import type { Script, ScriptedModel } from '@vf/testkit';
import { startScriptedModel } from '@vf/testkit';
import { afterEach } from 'vitest';
import { hostLoop } from '../src/index.ts';
import type { HostDialect, HostLoopOptions } from '../src/index.ts';

const log: Log = { debug() {}, info() {}, warn() {}, error() {} };
export const { signal } = new AbortController();

const noBox = (): never => {
  throw new Error('this loop has no box');
};
/** A box of which nothing may be asked. */
export const noRuntime: RuntimeApi = {
  id: 'none',
  workdir: '/nowhere',
  home: '/nowhere',
  platform: { os: 'linux', arch: 'x64', libc: null },
  run: noBox,
  spawn: noBox,
  read: noBox,
  write: noBox,
  upload: noBox,
  download: noBox,
  toolbox: noBox,
};

type Options = Partial<Omit<HostLoopOptions, 'ctx'>> &
  Partial<Pick<HarnessCtx, 'systemPrompt'>> & { readonly taskTools?: HarnessCtx['tools'] };

/** Starts loops in front of scripted models, closed after each test. */
export function loopRig(): (
  dialect: HostDialect,
  script: Script,
  options?: Options,
) => Promise<{ session: ReturnType<typeof hostLoop>; model: ScriptedModel }> {
  const models: ScriptedModel[] = [];
  afterEach(() => Promise.all(models.splice(0).map((model) => model.close())));
  return async (dialect, script, { systemPrompt = null, taskTools = [], ...rest } = {}) => {
    const model = await startScriptedModel({ script, key: 'bearer-1' });
    models.push(model);
    const ctx: HarnessCtx<object, HostDialect> = {
      config: {},
      rolloutId: 'r1',
      runtime: noRuntime,
      dialect,
      endpoint: { url: 'http://the.box.only', hostUrl: model.url, bearer: 'bearer-1' },
      model: 'm1',
      systemPrompt,
      mcp: [],
      tools: taskTools,
      skills: [],
      env: {},
      log,
      signal,
    };
    return { session: hostLoop({ ctx, maxTurns: 5, stream: false, ...rest }), model };
  };
}
