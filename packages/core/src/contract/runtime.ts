import type { z } from 'zod';

/** How a program in a box ended. `exitCode` is null when a signal or a timeout ended it. */
export interface ProgramResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Output beyond `maxOutputBytes` was dropped from the middle; the text says where. */
  readonly truncated: boolean;
  readonly timedOut: boolean;
  /** The kernel killed it, or for a long one that failed a process that it started, for want of memory. */
  readonly oomKilled: boolean;
  readonly durationMs: number;
}

/** How a program runs in a box; what is left out is as the box has it. */
export interface ExecOptions {
  /** Default: the box's workdir. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly user?: string | number;
  readonly stdin?: Uint8Array | string;
  /** On expiry the whole process tree is killed and `timedOut` is set. */
  readonly timeoutMs?: number;
  /** Per stream; default 1 MiB. */
  readonly maxOutputBytes?: number;
  /** A service of a compose set. */
  readonly service?: string;
  readonly signal?: AbortSignal;
}

/** A running program with live stdio. */
export interface Spawned {
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  kill(signal?: 'SIGTERM' | 'SIGKILL' | 'SIGINT'): Promise<void>;
  /** stdout and stderr of the result are empty: they were streamed. */
  wait(): Promise<ProgramResult>;
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

/** Where programs of a box get to; the routes of the model stay open whatever it says. `hosts` are names or addresses; `*.` before a name stands for all below it. */
export type NetworkPolicy =
  | { readonly mode: 'public' }
  | { readonly mode: 'no-network' }
  | { readonly mode: 'allowlist'; readonly hosts: readonly string[] };

/** A provisioned place where programs run. */
export interface Box extends RuntimeApi {
  /** Tells a dead box from a failing command. */
  alive(signal?: AbortSignal): Promise<boolean>;
  /**
   * Whether all that should run beside the box does; asked before and after scoring, so that nothing is scored without it.
   * @throws VfError runtime/box_gone with the service that ended and its last words
   */
  intact?(signal?: AbortSignal): Promise<void>;
  /** The URL under which a program in here reaches a host URL; may start a tunnel or relay, shared per URL. */
  reach(url: string, signal: AbortSignal): Promise<string>;
  /** The host URL under which a port of this box is reached. */
  expose(port: number, signal: AbortSignal): Promise<string>;
  /** `routes`: host URLs that stay reachable whatever the policy forbids. */
  setNetwork(policy: NetworkPolicy, routes: readonly string[], signal: AbortSignal): Promise<void>;
  /** Frees the box. Idempotent; finishes even while the run is being cancelled. */
  stop(): Promise<void>;
  /** Synchronous last resort at process exit. Idempotent. */
  cleanup(): void;
  /**
   * In place of `stop`: what a person may look at stays, also after this process and through sweeps, until one with
   * `kept`. Nothing is done in the box any more.
   * @returns how a person gets into it: a command
   */
  keep?(): Promise<string>;
}

/** Who made a box: found again by `vf cleanup` when its maker was killed. */
export interface BoxLabels {
  readonly run: string;
  readonly rollout: string;
  readonly host: string;
  readonly pid: number;
  /** Unix milliseconds at which process `pid` started its run. */
  readonly started: number;
}

/** What a box may use at most; what is left out has no limit of its own. MiB. */
export interface Resources {
  /** Cores. */
  readonly cpu?: number;
  readonly memoryMb?: number;
  readonly diskMb?: number;
  readonly gpus?: number;
}

/** An image to make of a folder of the host: same content, same image, built once whatever the concurrency. */
export interface ImageBuild {
  /** Absolute path of the folder that the builder sees. */
  readonly context: string;
  /** Below `context`; default `Dockerfile`. */
  readonly dockerfile?: string;
}

/**
 * Services that run together as compose files say. The box is service `main`, which is there without being named: its
 * image is the spec's `image` or `build` unless a file gives it another; limits, network policy and user of the spec
 * are its own. Other services name an image that is built for `main` as `vf-main`.
 */
export interface ComposeSet {
  /** Absolute paths; a later file is merged over the earlier ones. Relative paths in all start at the first one's folder. */
  readonly files: readonly string[];
  /**
   * For `${NAME}` in the files; beside them only `.env` of the first one's folder is known. Values may name secrets as
   * those of a row's `env`. Never traced.
   */
  readonly variables?: Readonly<Record<string, string>>;
}

/** What a box is to be like: the task's wishes, the runtime's options and who makes it. */
export interface BoxSpec<Config = unknown> {
  readonly config: Readonly<Config>;
  readonly image?: string;
  /** Where it is given, `image` is not. */
  readonly build?: ImageBuild;
  readonly workdir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly resources?: Resources;
  readonly network?: NetworkPolicy;
  readonly labels: BoxLabels;
  /** Only where the runtime offers `services`. */
  readonly compose?: ComposeSet;
  /** Folder of the host, made when needed, for what services beside the box have logged: `NAME.log` each. */
  readonly logDir?: string;
  /** Who programs in the box run as unless they say otherwise; default: the image's own user. */
  readonly user?: string | number;
  /** Starts the image's ENTRYPOINT with a command that sleeps; else the entry point is replaced by one that does. */
  readonly runsEntrypoint?: boolean;
  /** For the rollout's log: what the runtime could not do as it was asked. */
  warn?(message: string): void;
}

/** What a runtime can do, asked by the preflight. */
export interface RuntimeOffers {
  readonly images: boolean;
  readonly policies: readonly NetworkPolicy['mode'][];
  readonly policyChange: boolean;
  readonly users: boolean;
  readonly services: boolean;
  /** Most boxes at once, when the runtime has a bound of its own. */
  readonly maxBoxes?: number;
}

/** Something a killed process left behind, or with `caches` something that is kept: its labels name no run. */
export interface Leftover {
  readonly what: string;
  readonly labels: BoxLabels;
}

/** What tasks want of their boxes, as far as it is known before a run. */
export type WantedBox<Config = unknown> = Pick<
  BoxSpec<Config>,
  'config' | 'image' | 'build' | 'compose' | 'network' | 'resources'
> & {
  /** Key of the task, for messages. */
  readonly task?: string;
};

/** What stands behind the image of a box. */
export interface ImageIdentity {
  /** As the task or the runtime's options name it; null for one that is built of a folder. */
  readonly name: string | null;
  /** Service beside the box for which it is built. */
  readonly service?: string;
  /** A registry's digest, an engine's id or a key of what it is built of; null while it is nowhere but in a registry. */
  readonly digest: string | null;
}

/** What a sweep removes. */
export interface SweepOptions {
  /** Counts from the making of each. */
  readonly olderThanMs: number;
  readonly dryRun: boolean;
  /** Also what is kept for later runs and used by none now. */
  readonly caches?: boolean;
  /** Also boxes that were kept for a person. */
  readonly kept?: boolean;
  /** Told how many things will be removed, before the first is. */
  begun?(count: number): void;
}

/** Makes boxes and finds those that killed processes left; `defineRuntime` returns it. */
export interface Runtime<Config = any> {
  readonly kind: 'runtime';
  readonly specVersion: 1;
  readonly id: string;
  readonly config?: z.ZodType<Config, any>;
  readonly offers: RuntimeOffers;
  create(spec: BoxSpec<Config>, signal: AbortSignal): Promise<Box>;
  /**
   * Asked once before a run, with what its tasks want of their boxes; starts nothing.
   * @returns sentences for the user, if any: what will work, but not as one would think
   * @throws VfError for what no box could be given here: nothing to run boxes on, a program that is missing
   */
  check?(
    specs: readonly WantedBox<Config>[],
    signal: AbortSignal,
  ): Promise<readonly string[] | void>;
  /**
   * What stands behind the image of each spec, in their order, asked of no registry; null where there is no image, several
   * where services stand beside the box. By it runs are told apart whose images have the same name.
   */
  images?(
    specs: readonly WantedBox<Config>[],
    signal: AbortSignal,
  ): Promise<readonly (ImageIdentity | readonly ImageIdentity[] | null)[]>;
  /** Removes (or with `dryRun` only lists) boxes whose maker is gone and that are older than `olderThanMs`. */
  sweep(options: SweepOptions, signal: AbortSignal): Promise<readonly Leftover[]>;
  /**
   * Frees all boxes of this process at once, also those in the making; synchronous, and ends within half a minute. Asked in
   * place of `cleanup` of each box.
   * @returns how many are left; null when that cannot be told
   */
  cleanup?(): number | null;
}
