import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { PluginHost } from '../src/index.ts';

interface PackageOptions {
  readonly version?: string;
  /** The `vf` block; default: one taskset of the package's short name. */
  readonly vf?: unknown;
  readonly core?: string;
  /** Source of the entry; default: a taskset that `defineTaskset` could have returned. */
  readonly code?: string;
  readonly exports?: unknown;
  /** Plugins that it asks its user for. */
  readonly peers?: readonly string[];
}

/** A project on disk, with packages installed the way npm or pnpm lays them out. */
export class TestProject {
  readonly dir: string;
  readonly vfDir: string;
  readonly #layout: 'npm' | 'pnpm';

  constructor(layout: 'npm' | 'pnpm' = 'npm') {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'vf-host-')));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    this.dir = join(root, 'project');
    this.vfDir = join(root, 'vf');
    this.#layout = layout;
    this.write('project/package.json', JSON.stringify({ name: 'acme-evals' }));
    this.write('vf/package.json', JSON.stringify({ name: 'vf' }));
  }

  write(path: string, text: string): void {
    const file = join(dirname(this.dir), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Installs a plugin and names it among the dependencies of `where`. */
  install(name: string, options: PackageOptions = {}, where: 'project' | 'vf' = 'project'): void {
    this.#dependencies[where].push(name);
    this.write(
      `${where}/package.json`,
      JSON.stringify({
        name: where === 'vf' ? 'vf' : 'acme-evals',
        dependencies: Object.fromEntries(
          this.#dependencies[where].map((dependency) => [dependency, '*']),
        ),
      }),
    );
    this.place(name, options, where);
  }

  /** Lays a package down without naming it anywhere. */
  place(name: string, options: PackageOptions, where: 'project' | 'vf' = 'project'): void {
    const { version = '1.0.0', core = '^1.0.0', peers = [] } = options;
    const id =
      name
        .split('/')
        .at(-1)
        ?.replace(/^vf-taskset-/, '') ?? name;
    const vf =
      'vf' in options ? options.vf : { manifest: 1, contributes: [{ kind: 'taskset', id }] };
    const real =
      this.#layout === 'npm'
        ? `${where}/node_modules/${name}`
        : `${where}/node_modules/.pnpm/${name.replace('/', '+')}@${version}/node_modules/${name}`;
    const pkg = {
      name,
      version,
      type: 'module',
      exports: options.exports ?? { '.': './index.js' },
      peerDependencies: {
        '@vf/core': core,
        ...Object.fromEntries(peers.map((peer) => [peer, '*'])),
      },
      vf,
    };
    this.write(`${real}/package.json`, JSON.stringify(pkg));
    this.write(
      `${real}/index.js`,
      options.code ??
        'export default { kind: "taskset", specVersion: 1, spec: { load: () => [] } };',
    );
    if (this.#layout === 'npm') return;
    const link = join(dirname(this.dir), where, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(dirname(this.dir), real), link);
  }

  host(cwd = this.dir): PluginHost {
    return new PluginHost({ cwd, vfDir: this.vfDir });
  }

  readonly #dependencies: Record<'project' | 'vf', string[]> = { project: [], vf: [] };
}
