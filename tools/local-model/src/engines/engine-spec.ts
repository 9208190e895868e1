export const localEngines = ['llama.cpp', 'vllm', 'sglang'] as const;
export type LocalEngine = (typeof localEngines)[number];

export interface ServeOptions {
  /** default: a free one */
  readonly port?: number;
  /** requests that run at once; more wait; default 4 */
  readonly slots?: number;
  /** tokens that one request may hold, prompt and reply; default 4096, of vLLM and SGLang 2048 */
  readonly ctx?: number;
  /** default: one less than there are cores */
  readonly threads?: number;
  /**
   * llama.cpp only: a GGUF file of the same model, served in place of its own. It is then computed in 32 bits,
   * so that with weights in 32 bits the logprobs are those of an exact forward pass.
   */
  readonly weights?: string;
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
  /** A file for llama.cpp; null: the model's own. */
  readonly weights: string | null;
  /** Options for the program that keeps the server alive for as long as it is wanted. */
  readonly more: readonly string[];
}

/** Packages of PyPI in a virtual environment of their own. */
export interface PythonSpec {
  /** What it is called in messages. */
  readonly id: string;
  /** Its folder in the cache: name and version. */
  readonly folder: string;
  /** Lowest and highest minor version of Python 3 that its wheels are made for. */
  readonly pythons: readonly [lowest: number, highest: number];
  /** Options of install.py. */
  readonly packages: readonly string[];
  /** Free disk that it takes, in GB. */
  readonly disk: number;
}

/** How an inference server is installed from PyPI alone and started on the CPU. */
export interface EngineSpec extends PythonSpec {
  readonly id: LocalEngine;
  /** Free memory that it takes, in GB. */
  readonly memory: number;
  /** Milliseconds after which a server that has not said its address is taken for dead. */
  readonly startLimit: number;
  /** Most tokens of a request, unless more are asked for. */
  readonly ctx: number;
  /** Does it read the weights from a Hugging Face folder? */
  readonly needsCheckpoint: boolean;
  command(serving: Serving): readonly string[];
}
