import { serveAsWorker, startLocalHost } from '@vf/serve';
import { log, planOfServer } from './vf-plan.ts';

/** A worker of our environment server. */
const { plan, secrets } = await planOfServer(1);
await serveAsWorker(await startLocalHost({ plan, secrets, log }), log);
process.exit(0);
