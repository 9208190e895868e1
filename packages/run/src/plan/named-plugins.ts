import type { PluginKind } from '@vf/core';
import { VfError, nearest } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import type { LoadedPlugin, PluginHost } from '@vf/plugin-host';
import type { RunConfig } from '../config/run-config.ts';
import type { Secrets } from '../secrets.ts';
import { optionProblems } from './option-problems.ts';

interface NamedInput {
  readonly config: RunConfig;
  readonly host: PluginHost;
  readonly secrets: Secrets;
  /** Where a config value came from; null for a built-in. */
  readonly sourceOf: (path: string) => string | null;
}

/** A plugin that the config names, and the key that names it. */
interface NamedPlugin {
  readonly kind: PluginKind;
  readonly ref: string;
  readonly path: string;
}

interface Failure {
  readonly named: NamedPlugin;
  readonly error: VfError;
}

/**
 * Loads every plugin that the config names, so that all that cannot be had are told at once, with what is wrong with the
 * settings of the others.
 * @returns what is wrong with the settings of harnesses and runtimes
 * @throws VfError plugin/*, of the first that cannot be had
 */
export async function loadNamed(
  { config, host, secrets, sourceOf }: NamedInput,
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  const failures: Failure[] = [];
  const loaded: { readonly named: NamedPlugin; readonly plugin: LoadedPlugin }[] = [];
  for (const named of namedBy(config)) {
    try {
      loaded.push({ named, plugin: await host.load(named.kind, named.ref, signal) });
    } catch (error) {
      if (!VfError.isInstance(error)) throw error;
      // What nobody wrote may be what no role uses.
      if (sourceOf(named.path) !== null) failures.push({ named, error });
    }
  }
  const isTold = (kind: PluginKind): boolean =>
    failures.length > 0 || kind === 'harness' || kind === 'runtime';
  const others: Problem[] = [];
  for (const { named, plugin } of loaded)
    if (isTold(named.kind)) others.push(...(await optionProblems(named, plugin, config, secrets)));
  const [first, ...more] = failures;
  if (first === undefined) return others;
  throw more.length === 0 ? one(first, others, host) : several([first, ...more], others, host);
}

function namedBy({ taskset, environment, harness, runtime, roles, client }: RunConfig) {
  const named = (kind: PluginKind, path: string, ref: string | null | undefined): NamedPlugin[] =>
    ref === null || ref === undefined ? [] : [{ kind, ref, path }];
  return [
    ...named('taskset', 'taskset.id', taskset?.id),
    ...named('environment', 'environment.id', environment.id === 'single' ? null : environment.id),
    ...named('harness', 'harness.id', harness.id),
    ...named('runtime', 'runtime.id', runtime.id),
    ...Object.entries(roles).flatMap(([name, role]) => [
      ...named('harness', `roles.${name}.harness.id`, role.harness?.id),
      ...named('runtime', `roles.${name}.runtime.id`, role.runtime?.id),
    ]),
    ...(client.dialects ?? []).flatMap((id) => named('dialect', 'client.dialects', id)),
  ];
}

function one({ named, error }: Failure, others: readonly Problem[], host: PluginHost): VfError {
  const { code, message, hint, cause, problems } = error;
  const { fix: _, ...place } = problemOf({ named, error }, host);
  return new VfError(code, message, {
    ...(hint === null ? {} : { hint }),
    cause,
    problems: [place, ...problems, ...others],
  });
}

function several(
  failures: readonly [Failure, ...Failure[]],
  others: readonly Problem[],
  host: PluginHost,
): VfError {
  const [{ error }] = failures;
  return new VfError(error.code, `${failures.length} plugins that are named cannot be used`, {
    problems: [...failures.map((failure) => problemOf(failure, host)), ...others],
  });
}

function problemOf({ named, error }: Failure, host: PluginHost): Problem {
  const { kind, ref, path } = named;
  const known = host.list().flatMap((entry) => (entry.kind === kind ? (entry.id ?? []) : []));
  const close = error.code === 'plugin/unknown' ? nearest(ref, known) : null;
  return close === null
    ? { path, message: error.message, ...(error.hint === null ? {} : { fix: error.hint }) }
    : { path, message: `no ${kind} "${ref}"`, nearest: close };
}
