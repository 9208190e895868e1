import { hostname } from 'node:os';
import type { AgentSession, Box, Harness, HarnessCtx } from '@vf/core';
import subprocess from '@vf/runtime-subprocess';
import type { Script, ScriptedModel, ScriptedRequest } from '@vf/testkit';
import { startScriptedModel } from '@vf/testkit';
import { textOf } from '@vf/core/trace';
import { afterEach } from 'vitest';

export const { signal } = new AbortController();
export const bearer = 'vf-bearer-of-this-rollout';

const log = { debug() {}, info() {}, warn() {}, error() {} };

/** A harness in a box of its own, in front of a scripted model. */
export interface Scene {
  readonly session: AgentSession;
  readonly model: ScriptedModel;
  readonly box: Box;
}

/** What differs from a plain context; a function may put files into the box first. */
type Overrides = Partial<HarnessCtx> | ((box: Box) => Promise<Partial<HarnessCtx>>);

/** Sets scenes up; each is taken down after its test. */
export function scenes(
  harness: Harness,
): (script: Script, config?: object, ctx?: Overrides) => Promise<Scene> {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });
  return async (script, config = {}, overrides = {}) => {
    const { spec } = harness;
    const model = await startScriptedModel({ script, key: bearer });
    closing.push(() => model.close());
    const labels = { run: 'r', rollout: 'x', host: hostname(), pid: process.pid, started: 1 };
    const box = await subprocess.create({ config: {}, labels }, signal);
    closing.push(() => box.stop());
    const parsed = (await spec.config?.parseAsync(config)) ?? {};
    const speaks = typeof spec.speaks === 'function' ? spec.speaks(parsed) : spec.speaks;
    const session = await spec.open({
      config: parsed,
      rolloutId: 'x',
      runtime: box,
      dialect: speaks[0] ?? '',
      endpoint: { url: model.url, bearer },
      model: 'm1',
      systemPrompt: null,
      mcp: [],
      tools: [],
      skills: [],
      env: {},
      log,
      signal,
      ...(typeof overrides === 'function' ? await overrides(box) : overrides),
    });
    closing.push(() => session.close());
    return { session, model, box };
  };
}

/** Names of the tools that the model was offered in its first call. */
export function toolNames(model: ScriptedModel): readonly string[] {
  return model.turns[0]?.call?.tools.map(({ name }) => name) ?? [];
}

/** The text of all tool results that the model was shown. */
export function toolResults(model: ScriptedModel): string {
  return model.turns
    .flatMap(({ call }): ScriptedRequest['messages'] => call?.messages ?? [])
    .flatMap((message) => (message.role === 'tool' ? [textOf(message.content)] : []))
    .join('\n');
}

/** The text of the system prompts in the first call. */
export function systemText(model: ScriptedModel): string {
  const messages = model.turns[0]?.call?.messages ?? [];
  return messages
    .flatMap((message) => (message.role === 'system' ? [textOf(message.content)] : []))
    .join('\n');
}
