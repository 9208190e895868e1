/** A compose file as `config --format json` writes it: merged, with absolute paths. Fields that vf does not touch pass. */
export interface ComposeModel {
  readonly name?: string;
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks?: Readonly<Record<string, ComposeNetwork | null>>;
  readonly volumes?: Readonly<Record<string, ComposeVolume | null>>;
  readonly configs?: Readonly<Record<string, ComposeFile>>;
  readonly secrets?: Readonly<Record<string, ComposeFile>>;
}

export interface ComposeService {
  readonly image?: string;
  readonly build?: ComposeBuild;
  readonly command?: readonly string[] | null;
  readonly environment?: Readonly<Record<string, string | null>> | null;
  readonly env_file?: readonly (string | { readonly path: string })[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly volumes?: readonly ComposeMount[];
  readonly networks?: Readonly<Record<string, object | null>>;
  readonly deploy?: ComposeDeploy;
  readonly mem_limit?: string | number;
  readonly cpus?: number;
  readonly pids_limit?: number;
  readonly network_mode?: string;
  readonly platform?: string;
  readonly [other: string]: unknown;
}

export interface ComposeBuild {
  readonly context: string;
  readonly dockerfile?: string;
  readonly args?: Readonly<Record<string, string | null>> | null;
  readonly target?: string;
  readonly [other: string]: unknown;
}

export interface ComposeMount {
  readonly type: string;
  readonly source?: string;
  readonly target?: string;
  readonly read_only?: boolean;
  readonly [other: string]: unknown;
}

export interface ComposeDeploy {
  readonly replicas?: number;
  readonly resources?: {
    readonly limits?: {
      readonly cpus?: string | number;
      readonly memory?: string;
      readonly pids?: number;
    };
    readonly reservations?: object;
  };
  readonly [other: string]: unknown;
}

export interface ComposeNetwork {
  readonly name?: string;
  readonly driver?: string;
  readonly external?: boolean;
  readonly internal?: boolean;
  readonly driver_opts?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly [other: string]: unknown;
}

export interface ComposeVolume {
  readonly name?: string;
  readonly external?: boolean;
  readonly driver_opts?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly [other: string]: unknown;
}

export interface ComposeFile {
  readonly file?: string;
  readonly external?: boolean;
  readonly [other: string]: unknown;
}
