import type { AgentSession, Box, Harness, HarnessCtx, Log } from '@vf/core';
import { afterEach, beforeAll } from 'vitest';
import { startScriptedModel } from '../../scripted-model/index.ts';
import type { Script, ScriptedModel, WireDialect } from '../../scripted-model/index.ts';
import { ownLabels, uniqueName } from '../runtime/fixture.ts';
import type { HarnessSuiteOptions, MakeHarness } from './options.ts';

/** One rollout on the stage: an agent in its box, in front of a scripted model. */
export interface Scene {
  readonly session: AgentSession;
  readonly model: ScriptedModel;
  readonly box: Box;
  readonly ctx: HarnessCtx<object>;
}

type Overrides = Partial<Omit<HarnessCtx<object>, 'runtime'>>;

/** Sets rollouts up and takes them down. */
export interface Stage {
  readonly harness: Harness;
  readonly options: HarnessSuiteOptions;
  readonly signal: AbortSignal;
  /** `ctx`: what differs from a plain context; a function may put files into the box first. */
  open(script: Script, ctx?: Overrides | ((box: Box) => Promise<Overrides>)): Promise<Scene>;
}

const wires: readonly string[] = [
  'chat-completions',
  'responses',
  'messages',
] satisfies WireDialect[];
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** Sets the stage around the tests that follow in the same block. */
export function setUpStage(make: MakeHarness, options: HarnessSuiteOptions): Stage {
  const { signal } = new AbortController();
  const opened: (() => Promise<unknown>)[] = [];
  let harness: Harness | null = null;

  beforeAll(async () => {
    harness = await withCapabilities(await make(), options);
  });
  afterEach(async () => {
    for (const close of opened.splice(0).toReversed()) await close();
  });

  const made = (): Harness => {
    if (harness === null) throw new Error('there is no harness');
    return harness;
  };
  const box = async (): Promise<Box> => {
    const runtime = await options.runtime();
    const opening = await runtime.create(
      { config: {}, ...options.spec, labels: ownLabels() },
      signal,
    );
    opened.push(() => opening.stop());
    return opening;
  };
  return {
    options,
    signal,
    get harness() {
      return made();
    },
    async open(script, overrides = {}) {
      const { spec } = made();
      const bearer = `vf-${crypto.randomUUID()}`;
      const said = typeof script === 'function' ? (options.manner?.(script) ?? script) : script;
      const model = await startScriptedModel({ script: said, key: bearer });
      opened.push(() => model.close());
      const runtime = await box();
      const config = await configOf(spec, options);
      const url = await runtime.reach(model.url, signal);
      const rolloutId = uniqueName();
      const ctx: HarnessCtx<object> = {
        config,
        rolloutId,
        runtime,
        dialect: options.dialect ?? dialectOf(spec.speaks, config),
        endpoint: { url, bearer },
        model: 'scripted-under-test',
        systemPrompt: null,
        mcp: [],
        tools: [],
        skills: [],
        env: { ...options.env, VF_ROLLOUT_ID: rolloutId },
        log: silent,
        signal,
        ...(typeof overrides === 'function' ? await overrides(runtime) : overrides),
      };
      await spec.install?.(ctx);
      const session = await spec.open(ctx);
      opened.push(() => session.close());
      return { session, model, box: runtime, ctx };
    },
  };
}

type Spec = Harness['spec'];

async function configOf(spec: Spec, { config = {} }: HarnessSuiteOptions): Promise<object> {
  return (await spec.config?.parseAsync(config)) ?? config;
}

/** The harness with the capabilities that its settings give it. */
async function withCapabilities(harness: Harness, options: HarnessSuiteOptions): Promise<Harness> {
  const { spec } = harness;
  if (spec.capabilitiesOf === undefined) return harness;
  const config = await configOf(spec, options);
  const capabilities = spec.capabilitiesOf({ config, env: options.env ?? {} });
  return { ...harness, spec: { ...spec, capabilities } };
}

function dialectOf(speaks: Harness['spec']['speaks'], config: object): string {
  const spoken: readonly string[] = typeof speaks === 'function' ? speaks(config) : speaks;
  const dialect = spoken.find((id) => wires.includes(id));
  if (dialect === undefined)
    throw new Error(`the scripted model speaks none of ${spoken.join(', ')}`);
  return dialect;
}
