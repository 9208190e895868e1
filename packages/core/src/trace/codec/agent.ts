import type { RolloutLimits, TraceAgent } from '../trace.ts';
import { boolean, integer, number, object, string } from './fields.ts';
import type { Fields } from './fields.ts';
import { compact, orNone } from './json-object.ts';
import type { JsonObject } from './json-object.ts';
import { readRequestShape, readSampling, writeLargeSampling, writeSampling } from './settings.ts';

/** Limits that the verifiers record has, by their two names. */
const limits = [
  ['maxTurns', 'max_turns'],
  ['maxInputTokens', 'max_input_tokens'],
  ['maxOutputTokens', 'max_output_tokens'],
  ['maxTotalTokens', 'max_total_tokens'],
] as const;

/** Runtimes that the verifiers models know; another one is written as the nearest, a local process. */
const knownRuntimes = new Set([
  'subprocess',
  'docker',
  'podman',
  'apptainer',
  'prime',
  'modal',
  'e2b',
]);
const nearestRuntime = 'subprocess';

export function writeAgent(agent: TraceAgent): JsonObject {
  const { harness, runtime } = agent;
  return {
    config: compact({
      harness: compact({
        id: harness.id,
        version: harness.version,
        config: orNone(harness.config),
      }),
      runtime: { type: knownRuntimes.has(runtime.id) ? runtime.id : nearestRuntime },
      model: agent.model || undefined,
      sampling: writeSampling(agent.sampling),
      ...Object.fromEntries(limits.map(([key, wire]) => [wire, agent.limits[key]])),
    }),
    name: agent.name,
    trainable: agent.trainable,
  };
}

/** What `agent.config` has no place for, for `info.vf`. */
export function writeAgentExtra(agent: TraceAgent): JsonObject {
  const { runtime } = agent;
  const isWhole = knownRuntimes.has(runtime.id) && Object.keys(runtime.config).length === 0;
  return compact({
    runtime: isWhole ? undefined : compact({ id: runtime.id, config: orNone(runtime.config) }),
    sampling: writeLargeSampling(agent.sampling),
    max_cost: agent.limits.maxCost,
  });
}

export function readAgent(fields: Fields, vf: Fields | undefined): TraceAgent {
  const config = fields.child('config');
  const harness = config?.child('harness');
  const runtime = vf?.child('runtime');
  const large = vf?.child('sampling');
  const model = large?.optional('model', string);
  const tag = config?.child('runtime')?.optional('type', string);
  return {
    name: fields.optional('name', string) ?? 'agent',
    trainable: fields.optional('trainable', boolean) ?? true,
    model: config?.optional('model', string) ?? '',
    harness: {
      id: harness?.optional('id', string) ?? '',
      version: harness?.optional('version', string) ?? null,
      config: harness?.optional('config', object) ?? {},
    },
    runtime: {
      id: runtime?.optional('id', string) ?? tag ?? '',
      config: runtime?.optional('config', object) ?? {},
    },
    sampling: {
      ...(model === undefined ? {} : { model }),
      ...readSampling(config?.child('sampling')),
      ...readRequestShape(large),
    },
    limits: readLimits(config, vf),
  };
}

function readLimits(config: Fields | undefined, vf: Fields | undefined): RolloutLimits {
  const known = limits.map(([key, wire]) => [key, config?.optional(wire, integer)] as const);
  const entries = [...known, ['maxCost', vf?.optional('max_cost', number)] as const];
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
