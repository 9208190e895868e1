import type { ExecOptions, ProgramResult, Spawned } from './program.ts';

/** What hooks and harnesses may do in a box. All paths are the box's; relative ones start at `workdir`. */
export interface RuntimeApi {
  readonly id: string;
  readonly workdir: string;
  /** A private writable folder of this rollout, outside `workdir`: HOME and state of the agent. */
  readonly home: string;
  readonly platform: {
    readonly os: string;
    readonly arch: string;
    readonly libc: 'glibc' | 'musl' | null;
  };
  /** A non-zero exit is a result. @throws VfError runtime/* when the program could not be executed at all. */
  run(argv: readonly string[], options?: ExecOptions): Promise<ProgramResult>;
  spawn(argv: readonly string[], options?: ExecOptions): Promise<Spawned>;
  /** @throws VfError runtime/file_not_found, runtime/file_too_large */
  read(
    path: string,
    options?: { readonly maxBytes?: number; readonly signal?: AbortSignal },
  ): Promise<Uint8Array>;
  /** Parent folders are made. `mode` default 0o644. */
  write(
    path: string,
    data: Uint8Array | string,
    options?: { readonly mode?: number; readonly signal?: AbortSignal },
  ): Promise<void>;
  /** A tree from the host into the box; modes and links are kept, a link out of the tree is refused. */
  upload(
    localDir: string,
    path: string,
    signal?: AbortSignal,
    options?: Pick<TreeOptions, 'anyLink'>,
  ): Promise<void>;
  /**
   * A tree of the box to the host, where nothing is followed and nothing written outside `localDir`. Links out of the
   * tree, pipes and devices are refused, unless `options` say what becomes of them.
   */
  download(
    path: string,
    localDir: string,
    signal?: AbortSignal,
    options?: TreeOptions,
  ): Promise<void>;
  /** Path in the box of a toolbox entry, filled on first use; null where a box cannot see the host's files. */
  toolbox(entry: ToolboxEntry, signal: AbortSignal): Promise<string | null>;
  /**
   * A service of the box's compose set, `main` for the box itself; absent where there are none.
   * @throws VfError runtime/exec_failed when the set has no such service
   */
  service?(name: string, signal?: AbortSignal): Promise<ServiceApi>;
}

/** What becomes of things in a tree that are neither file, folder nor a link within it. */
export interface TreeOptions {
  /** Links stay as they are, wherever they lead. */
  readonly anyLink?: boolean;
  /** Told of each thing that is left out instead of refused, by its path in the tree and why. */
  leftOut?(path: string, why: string): void;
}

/** Something to install once per machine and reuse in every box of it. */
export interface ToolboxEntry {
  /** Names the content: program, version, platform. A folder of this name is filled once. */
  readonly key: string;
  /** Fills `dir`, a fresh folder on the host; a failure leaves nothing behind. */
  fill(dir: string, signal: AbortSignal): Promise<void>;
}

/** One service of a compose set. Relative paths start at its own working folder; programs run as its image's user. */
export interface ServiceApi extends Pick<
  RuntimeApi,
  'run' | 'spawn' | 'read' | 'write' | 'upload' | 'download'
> {
  /** Stops its programs (SIGTERM, SIGKILL ten seconds later); its files can still be read and downloaded. Idempotent. */
  stop(signal?: AbortSignal): Promise<void>;
}
