import type { RuntimeApi } from './runtime-api.ts';

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

/** Where programs of a box get to; the routes of the model stay open whatever it says. `hosts` are names or addresses; `*.` before a name stands for all below it. */
export type NetworkPolicy =
  | { readonly mode: 'public' }
  | { readonly mode: 'no-network' }
  | { readonly mode: 'allowlist'; readonly hosts: readonly string[] };

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
