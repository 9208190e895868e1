export { packEpisode, unpackEpisode } from './episode.ts';
export { pack } from './pack/pack.ts';
export { Packed } from './pack/packed.ts';
export { wireNodes } from './wire-nodes.ts';
export { lastExperts } from './wire-tensors.ts';
