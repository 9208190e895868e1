export { startLocalModel, type LocalModel, type LocalModelOptions } from './start-local-model.ts';
export { LocalModelUnavailable } from './unavailable.ts';
export { localTokenizer } from './local-tokenizer.ts';
export type { LocalEngine, PythonSpec } from './engines/engine-spec.ts';
export { installedPython } from './installed-python.ts';
export { reloadWeights, type Reload } from './reload-weights.ts';
