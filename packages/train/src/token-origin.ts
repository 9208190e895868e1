import type { TokenOrigin } from '@vf/core';
import type { Renderer, Tokenizer } from '@vf/renderers';
import type { Engine } from './engine/engine.ts';

/** What makes the ids of an engine's calls. */
export function originOf({ engine, renderer, tokenizer }: Made): TokenOrigin {
  return {
    engine: engine.id,
    renderer: renderer.family,
    retention: renderer.retention,
    tokenizerSha256: tokenizer?.sha256 ?? null,
    templateSha256: renderer.templateSha256,
  };
}

interface Made {
  readonly engine: Pick<Engine, 'id'>;
  readonly renderer: Pick<Renderer, 'family' | 'retention' | 'templateSha256'>;
  readonly tokenizer?: Pick<Tokenizer, 'sha256'>;
}

/**
 * vLLM's chat endpoint writes every prompt anew, with a template of its own.
 * @param tokenizer null where the run names none: it is vLLM's then
 */
export function chatOrigin(tokenizer: Pick<Tokenizer, 'sha256'> | null): TokenOrigin {
  return {
    engine: 'vllm-chat',
    renderer: null,
    retention: 'template',
    tokenizerSha256: tokenizer?.sha256 ?? null,
    templateSha256: null,
  };
}
