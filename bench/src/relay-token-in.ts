import { makeEngine, trainClient } from '@vf/train';
import { serveClient } from './interception/serve-client.ts';
import { renderer, tokenizer } from './token-in/reply.ts';

const engine = makeEngine('vllm', { baseUrl: process.argv[2] ?? '' });
await serveClient(trainClient({ engine, renderer, vocabulary: tokenizer.size, model: 'm' }));
