import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Rig } from './rig.ts';

/** The SDK of OpenAI as an agent of the rollout has it; it tries nothing again. */
export const openai = ({ url, bearer }: Rig): OpenAI =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: bearer, maxRetries: 0 });

export const anthropic = ({ url, bearer }: Rig): Anthropic =>
  new Anthropic({ baseURL: url, apiKey: bearer, maxRetries: 0 });
