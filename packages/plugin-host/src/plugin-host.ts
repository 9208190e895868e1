import type { PluginKind } from '@vf/core';
import { VfError, nearest } from '@vf/core/errors';
import { coreVersion, meetsCore } from './core-version.ts';
import { isWorkspaceRoot, nearestProject, upwards } from './find-package.ts';
import { importFromPackage, importFromPath } from './import-plugin.ts';
import { installCommand } from './install-command.ts';
import { pluginPackage, pluginsOf } from './manifests.ts';
import type { From, PluginPackage } from './manifests.ts';
import { readPackageJson } from './package-json.ts';
import { parseRef } from './plugin-ref.ts';

/** One line of `vf plugins list`. */
export interface PluginEntry {
  readonly kind: PluginKind | null;
  readonly id: string | null;
  readonly package: string;
  readonly version: string;
  readonly from: From;
  readonly summary: string;
  /** `ok`, or what keeps it from being used. */
  readonly state: string;
}

export interface LoadedPlugin {
  readonly kind: PluginKind;
  readonly id: string;
  /** null for one given as a path. */
  readonly package: string | null;
  readonly version: string | null;
  readonly value: unknown;
}

interface Candidate {
  readonly plugin: PluginPackage;
  readonly entry: string;
  readonly id: string;
}

/** Finds plugins from package manifests and imports those that are asked for. */
export class PluginHost {
  readonly #cwd: string;
  readonly #vfDir: string;
  readonly #projectDir: string | null;
  #packages: readonly PluginPackage[] | null = null;

  /**
   * @param options.cwd where the user stands
   * @param options.vfDir folder of the CLI's package: its dependencies are what it brings
   * @param options.projectDir whose package.json names the plugins; default: nearest from `cwd` upwards
   */
  constructor(options: {
    readonly cwd: string;
    readonly vfDir: string;
    readonly projectDir?: string;
  }) {
    this.#cwd = options.cwd;
    this.#vfDir = options.vfDir;
    this.#projectDir = options.projectDir ?? nearestProject(options.cwd);
  }

  /** Every plugin in reach, bad manifests among them; imports nothing. */
  list(): PluginEntry[] {
    return this.#found().flatMap((plugin): PluginEntry[] => {
      const about = { package: plugin.name, version: plugin.version, from: plugin.from };
      if (plugin.problem !== null)
        return [
          { ...about, kind: null, id: null, summary: '', state: `bad manifest: ${plugin.problem}` },
        ];
      const state = meetsCore(plugin.coreRange)
        ? 'ok'
        : `needs @vf/core ${plugin.coreRange} (here ${coreVersion()})`;
      return plugin.contributes.map(({ kind, id, summary }) => ({
        ...about,
        kind,
        id,
        summary,
        state,
      }));
    });
  }

  /**
   * The plugin that `ref` names: a short id, `package#id`, or a path.
   * @throws VfError plugin/unknown, plugin/ambiguous, plugin/wrong_version, plugin/load_failed, plugin/bad_manifest
   */
  async load(kind: PluginKind, ref: string, signal: AbortSignal): Promise<LoadedPlugin> {
    signal.throwIfAborted();
    const parsed = parseRef(ref);
    if (parsed.type === 'path') {
      const { id, value } = await importFromPath(parsed.path, this.#cwd, this.#vfDir, kind);
      return { kind, id, package: null, version: null, value };
    }
    const candidate =
      parsed.type === 'pinned'
        ? this.#pinned(kind, parsed.package, parsed.id)
        : this.#byId(kind, parsed.id);
    const { plugin, entry, id } = candidate;
    this.#checkRange(plugin);
    const value = await importFromPackage(plugin, entry, kind, id);
    return { kind, id, package: plugin.name, version: plugin.version, value };
  }

  #found(): readonly PluginPackage[] {
    this.#packages ??= this.#discover();
    return this.#packages;
  }

  /** The project, the workspace around it, then what the CLI brings; a package counts once, where it was found first. */
  #discover(): readonly PluginPackage[] {
    const project =
      this.#projectDir === null
        ? []
        : this.#projectDirs(this.#projectDir).flatMap((dir) => pluginsOf(dir, 'project'));
    const byDir = new Map<string, PluginPackage>();
    for (const plugin of [...project, ...pluginsOf(this.#vfDir, 'cli')])
      if (!byDir.has(plugin.dir)) byDir.set(plugin.dir, plugin);
    return [...byDir.values()];
  }

  #projectDirs(projectDir: string): string[] {
    const root = [...upwards(projectDir)].find((dir) => dir !== projectDir && isWorkspaceRoot(dir));
    return root === undefined ? [projectDir] : [projectDir, root];
  }

  #candidates(kind: PluginKind, packages: readonly PluginPackage[]): Candidate[] {
    return packages.flatMap((plugin) =>
      plugin.contributes
        .filter((offer) => offer.kind === kind)
        .map(({ entry, id }) => ({ plugin, entry, id })),
    );
  }

  #byId(kind: PluginKind, id: string): Candidate {
    const named = this.#candidates(kind, this.#found()).filter((candidate) => candidate.id === id);
    // The user's own project wins over what the CLI brings along.
    const own = named.filter(({ plugin }) => plugin.from !== 'cli');
    const choice = own.length > 0 ? own : named;
    if (choice.length > 1) throw ambiguous(kind, id, choice);
    if (choice[0] !== undefined) return choice[0];
    throw this.#unknown(kind, id);
  }

  #pinned(kind: PluginKind, name: string, id: string): Candidate {
    const plugin =
      pluginPackage(name, this.#projectDir ?? this.#cwd, 'config') ??
      pluginPackage(name, this.#vfDir, 'cli');
    if (plugin === null) {
      throw new VfError(
        'plugin/unknown',
        `package ${name} is not installed here, or brings no vf plugin`,
        { hint: installCommand(name, this.#projectDir) },
      );
    }
    if (plugin.problem !== null)
      throw new VfError(
        'plugin/bad_manifest',
        `${plugin.name}@${plugin.version}: ${plugin.problem}`,
        { hint: 'a newer version of it may be right' },
      );
    const offers = this.#candidates(kind, [plugin]);
    const offer = offers.find((candidate) => candidate.id === id);
    if (offer !== undefined) return offer;
    const brings = offers.map((candidate) => candidate.id).join(', ') || 'none';
    throw new VfError('plugin/unknown', `${name} brings no ${kind} "${id}"; it brings ${brings}`);
  }

  #unknown(kind: PluginKind, id: string): VfError {
    const known = this.#candidates(kind, this.#found()).map((candidate) => candidate.id);
    const close = nearest(id, known);
    const bad = this.#found().filter(({ problem }) => problem !== null);
    const problems = bad.map(({ name, version, problem }) => ({
      message: `${name}@${version} has a bad manifest: ${problem}`,
    }));
    const places = [
      this.#projectDir === null
        ? null
        : `${readPackageJson(this.#projectDir)?.name ?? this.#projectDir} (package.json)`,
      'vf itself',
    ].filter((place) => place !== null);
    const what = close === null ? `installed: ${known.join(', ') || 'none'}` : `nearest: ${close}`;
    const install = installCommand(officialPackage(kind, id), this.#projectDir);
    return new VfError(
      'plugin/unknown',
      `no ${kind} "${id}"; ${what}. Looked in: ${places.join(', ')}`,
      {
        hint: `${close === null ? '' : `${kind === 'taskset' ? 'vf eval' : `--${kind}`} ${close}    or, `}if it is a package: ${install}`,
        problems,
      },
    );
  }

  #checkRange({ name, version, coreRange }: PluginPackage): void {
    if (meetsCore(coreRange)) return;
    throw new VfError(
      'plugin/wrong_version',
      `${name}@${version} needs @vf/core ${coreRange}; this vf has ${coreVersion()}`,
      {
        hint: `${installCommand(`${name}@latest`, this.#projectDir)}, or a vf that brings @vf/core ${coreRange}`,
      },
    );
  }
}

function ambiguous(kind: PluginKind, id: string, choice: readonly Candidate[]): VfError {
  const names = choice.map(({ plugin }) => `${plugin.name}@${plugin.version}`);
  return new VfError('plugin/ambiguous', `${kind} "${id}" is brought by ${names.join(' and ')}`, {
    hint: `choose one: ${choice.map(({ plugin }) => `${plugin.name}#${id}`).join('   or   ')}`,
  });
}

const houseKinds: ReadonlySet<string> = new Set([
  'dialect',
  'runtime',
  'harness',
  'environment',
  'export',
]);
const houseTasksets: ReadonlySet<string> = new Set([
  'gsm8k',
  'harbor',
  'nemo-gym',
  'openenv',
  'openreward',
]);
const houseIds: ReadonlySet<string> = new Set([
  'docker',
  'modal',
  'prime',
  'interactions',
  'codex',
  'claude-code',
  'kimi-code',
  'opencode',
  'pi',
  'qwen-code',
  'terminus-2',
  'mini-swe-agent',
  'oracle',
  'command',
  'best-of-n',
  'verifiers',
  'hessian',
  'atif',
  'verl',
  'trl',
  'agent-lightning',
  'parquet',
  'otel',
]);

/** The package that most likely brings an id: vf's own where it has one, else the community's naming. */
function officialPackage(kind: PluginKind, id: string): string {
  const isOurs =
    kind === 'taskset' ? houseTasksets.has(id) : houseKinds.has(kind) && houseIds.has(id);
  return isOurs ? `@vf/${kind}-${id}` : `vf-${kind}-${id}`;
}
