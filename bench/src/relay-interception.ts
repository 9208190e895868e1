import { relayClient } from '@vf/interception';
import { serveClient } from './interception/serve-client.ts';

await serveClient(relayClient({ baseUrl: process.argv[2] ?? '', key: `sk-${'k3y'.repeat(20)}` }));
