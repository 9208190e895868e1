import type { Message } from '../message.ts';
import type { ComposeSet, ImageBuild, NetworkPolicy, Resources } from './box.ts';
import type { TaskMcpServer } from './task-mcp-server.ts';

/** What any row may say beside its author's own fields. */
export interface StandardFields {
  /** Unique in the taskset; default: a hash of the row. */
  key?: string;
  name?: string;
  prompt?: string | readonly Message[];
  systemPrompt?: string;
  image?: string;
  /** In place of `image`: what to build it of. */
  build?: ImageBuild;
  /** Services that run beside the box, which is their `main`. */
  compose?: ComposeSet;
  workdir?: string;
  /** Who the agent and, unless they say otherwise, programs of hooks run as in the box. */
  user?: string | number;
  /** The image's own ENTRYPOINT is started, too; it must end in the command that it is given (`exec "$@"`). */
  runsEntrypoint?: boolean;
  /**
   * Never traced; `${NAME}` takes a secret from where the rollout runs, `${NAME:-text}` has a default, `$${NAME}` stays
   * as `${NAME}`.
   */
  env?: Readonly<Record<string, string>>;
  resources?: Resources;
  timeouts?: StageTimeouts;
  network?: NetworkPolicy;
  artifacts?: readonly (string | Artifact)[];
  /** What `setup` will hand to the agent, told so that one that takes none is refused before the run. */
  brings?: {
    readonly skills?: boolean;
    /** Transports of MCP servers. */
    readonly mcp?: readonly TaskMcpServer['transport'][];
  };
}

/** Limits of one rollout's stages, in milliseconds. */
export interface StageTimeouts {
  readonly boot?: number;
  readonly setup?: number;
  readonly agent?: number;
  readonly finalize?: number;
  readonly scoring?: number;
}

/** Files kept from the box after the rollout. */
export interface Artifact {
  readonly source: string;
  readonly exclude?: readonly string[];
  readonly required?: boolean;
  /** Where it is kept, below the rollout's artifacts; default: its own path. */
  readonly destination?: string;
  /** Of the box's compose set; default: the box itself. */
  readonly service?: string;
}

/** z.object({}) infers Record<string, never>; it must not swallow the standard fields. */
type Own<T> = string extends keyof T ? {} : T;

/** A row as `load` gives it: the fields of the taskset's own schema, and the standard ones, all optional. */
export type TaskRow<Row> = Row extends unknown
  ? Own<Row> & Omit<StandardFields, keyof Own<Row>>
  : never;

/** A row that was checked, with its key: what hooks and environments see. */
export type Task<Data = {}> = Data extends unknown
  ? Readonly<TaskRow<Data>> & { readonly key: string }
  : never;

/** A schema may narrow a standard field (`prompt: z.string()`), never retype it. */
type Retyped<Row> = string extends keyof Row
  ? never
  : {
      [K in keyof Row & keyof StandardFields]: Row[K] extends StandardFields[K] ? never : K;
    }[keyof Row & keyof StandardFields];

export type NoRetype<Row> = [Retyped<Row>] extends [never]
  ? unknown
  : { data: `the field "${Retyped<Row> & string}" is a standard field with another type` };
