export { startLocalModel, type LocalModel, type LocalModelOptions } from './start-local-model.ts';
export { LocalModelUnavailable } from './unavailable.ts';
export { localTokenizer } from './local-tokenizer.ts';
