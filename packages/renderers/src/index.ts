export { rendererFor, familyFor, familyIds, jinjaId } from './renderer-for.ts';
export { jinjaRenderer } from './jinja/jinja-renderer.ts';
export { loadJinja } from './jinja/load-jinja.ts';
export type { JinjaSource } from './jinja/jinja-renderer.ts';
export { assistantMessage } from './assistant-message.ts';
export type { ReplyMessage } from './assistant-message.ts';
export { parts } from './script.ts';
export type { Part } from './script.ts';
export type { Rendered } from './rendered.ts';
export type { Follower } from './live/follow.ts';
export type { CallStatus, Parsed, ParsedCall } from './parsed.ts';
export type {
  BridgeRequest,
  Renderer,
  RendererOptions,
  RenderRequest,
  Retention,
} from './renderer.ts';
export { loadTokenizer } from './tokenizer/load-tokenizer.ts';
export { tokenizerFrom } from './tokenizer/hugging-face.ts';
export type { TokenizerJson } from './tokenizer/hugging-face.ts';
export type { Tokenizer } from './tokenizer/tokenizer.ts';
