export { openTrainClient } from './open-train-client.ts';
export type { TrainSettings } from './open-train-client.ts';
export { openRenderer } from './open-renderer.ts';
export type { OpenedRenderer, RendererSettings } from './open-renderer.ts';
export { trainClient } from './train-client.ts';
export type { TrainClientOptions } from './train-client.ts';
export { makeEngine } from './engine/make-engine.ts';
export { engineIds } from './engine/engine.ts';
export type { Engine, EngineId, EngineOptions, Sample, SampleRequest } from './engine/engine.ts';
