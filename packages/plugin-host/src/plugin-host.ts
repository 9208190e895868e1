import type { Contribution, PluginKind } from '@vf/core';
import { VfError, nearest } from '@vf/core/errors';
import { coreVersion, isBehind, meetsCore } from './core-version.ts';
import { isWorkspaceRoot, nearestProject, upwards } from './find-package.ts';
import { importFromPackage, importFromPath } from './import-plugin.ts';
import { installCommand } from './install-command.ts';
import { pluginPackage, pluginsOf } from './manifests.ts';
import type { From, PluginPackage } from './manifests.ts';
import { readPackageJson } from './package-json.ts';
import { officialPackage } from './official-package.ts';
import { parseRef } from './plugin-ref.ts';

/** One line of `vf plugins list`. */
export interface PluginEntry {
  readonly kind: PluginKind | null;
  readonly id: string | null;
  readonly package: string;
  readonly version: string;
  readonly from: From;
  /** Folder of the package. */
  readonly dir: string;
  readonly summary: string;
  /** Programs and variables that it says it needs. */
  readonly requires: Contribution['requires'];
  /** Its range on `@vf/core`; null when it names none. */
  readonly coreRange: string | null;
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
      const { name, version, from, dir, coreRange, problem } = plugin;
      const about = { package: name, version, from, dir, coreRange };
      if (problem !== null)
        return [
          {
            ...about,
            kind: null,
            id: null,
            summary: '',
            requires: { bins: [], env: [] },
            state: `bad manifest: ${problem}`,
          },
        ];
      return plugin.contributes.map(({ kind, id, summary, requires }) => ({
        ...about,
        kind,
        id,
        summary,
        requires,
        state: this.#state(plugin, kind, id),
      }));
    });
  }

  #state(plugin: PluginPackage, kind: PluginKind, id: string): string {
    const { coreRange } = plugin;
    if (coreRange !== null && !meetsCore(coreRange))
      return `needs @vf/core ${coreRange} (here ${coreVersion()}): ${this.#rangeRemedy(plugin, coreRange)}`;
    const choice = this.#choice(kind, id).map((candidate) => candidate.plugin);
    if (!choice.includes(plugin)) return `hidden by ${choice[0]?.name ?? 'another'}`;
    const others = choice.filter((other) => other !== plugin).map(({ name }) => name);
    return others.length === 0
      ? 'ok'
      : `also in ${others.join(', ')}: name it ${plugin.name}#${id}`;
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

  /**
   * The project, the workspace around it, then what the CLI brings; a package counts once, where it was found first. A CLI
   * that runs in its own repository brings what the root there depends on, wherever the user stands.
   */
  #discover(): readonly PluginPackage[] {
    const project =
      this.#projectDir === null
        ? []
        : withWorkspace(this.#projectDir).flatMap((dir) => pluginsOf(dir, 'project'));
    const byDir = new Map<string, PluginPackage>();
    const brought = homesOf(this.#vfDir).flatMap((dir) => pluginsOf(dir, 'cli'));
    for (const plugin of [...project, ...brought])
      if (!byDir.has(plugin.dir)) byDir.set(plugin.dir, plugin);
    return [...byDir.values()];
  }

  #candidates(kind: PluginKind, packages: readonly PluginPackage[]): Candidate[] {
    return packages.flatMap((plugin) =>
      plugin.contributes
        .filter((offer) => offer.kind === kind)
        .map(({ entry, id }) => ({ plugin, entry, id })),
    );
  }

  #byId(kind: PluginKind, id: string): Candidate {
    const choice = this.#choice(kind, id);
    if (choice.length > 1) throw ambiguous(kind, id, choice);
    if (choice[0] !== undefined) return choice[0];
    throw this.#unknown(kind, id);
  }

  /** What a short id may mean: the user's own project wins over what the CLI brings along. */
  #choice(kind: PluginKind, id: string): Candidate[] {
    const named = this.#candidates(kind, this.#found()).filter((candidate) => candidate.id === id);
    const own = named.filter(({ plugin }) => plugin.from !== 'cli');
    return own.length > 0 ? own : named;
  }

  #pinned(kind: PluginKind, name: string, id: string): Candidate {
    const plugin =
      this.#found().find((found) => found.name === name) ??
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
    throw new VfError('plugin/unknown', `${name} brings no ${kind} "${id}"; it brings ${brings}`, {
      hint:
        offers[0] === undefined
          ? 'vf plugins list shows what is installed'
          : `name it ${name}#${offers[0].id}`,
    });
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
        hint: `${close === null ? '' : `${namedBy(kind, close)}    or, `}if it is a package: ${install}`,
        problems,
      },
    );
  }

  #checkRange(plugin: PluginPackage): void {
    const { name, version, coreRange } = plugin;
    if (coreRange === null || meetsCore(coreRange)) return;
    throw new VfError(
      'plugin/wrong_version',
      `${name}@${version} needs @vf/core ${coreRange}; this vf has ${coreVersion()}`,
      { hint: this.#rangeRemedy(plugin, coreRange) },
    );
  }

  /** What to type: the older of the two is the one to renew. */
  #rangeRemedy({ name }: PluginPackage, coreRange: string): string {
    return isBehind(coreRange)
      ? `${installCommand('@vf/eval@latest', this.#projectDir)}, or an older ${name}`
      : installCommand(`${name}@latest`, this.#projectDir);
  }
}

/** What to type to name a plugin. */
function namedBy(kind: PluginKind, id: string): string {
  if (kind === 'dialect') return `client.dialects = ["${id}"]`;
  if (kind === 'export') return `--to ${id}`;
  return kind === 'taskset' ? `vf eval ${id}` : `--${kind} ${id}`;
}

/** A folder, and the root of the workspace around it. */
function withWorkspace(dir: string): string[] {
  const root = [...upwards(dir)].find((above) => above !== dir && isWorkspaceRoot(above));
  return root === undefined ? [dir] : [dir, root];
}

/** The workspace around an installed package is its user's, not its own. */
function homesOf(vfDir: string): string[] {
  return vfDir.split(/[/\\]/).includes('node_modules') ? [vfDir] : withWorkspace(vfDir);
}

function ambiguous(kind: PluginKind, id: string, choice: readonly Candidate[]): VfError {
  const names = choice.map(({ plugin }) => `${plugin.name}@${plugin.version}`);
  return new VfError('plugin/ambiguous', `${kind} "${id}" is brought by ${names.join(' and ')}`, {
    hint: `choose one: ${choice.map(({ plugin }) => `${plugin.name}#${id}`).join('   or   ')}`,
  });
}
