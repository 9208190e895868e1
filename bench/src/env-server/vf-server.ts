import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startEnvServer, startLocalHost, startWorkerPool } from '@vf/serve';
import type { RunHost } from '@vf/serve';
import { answerQuestions } from '../processes/answer-questions.ts';
import { log, planOfServer } from './vf-plan.ts';

/** Our environment server in a process of its own, which plays itself or, with a second argument, in so many workers. */
const maxConcurrent = Number(process.argv[2] ?? '64');
const workers = Number(process.argv[3] ?? '0');
const pids: number[] = [];

function startWorkers(): Promise<RunHost> {
  const program = fileURLToPath(new URL('./vf-worker.ts', import.meta.url));
  const start = () => {
    const worker = spawn(process.execPath, [...process.execArgv, program], {
      stdio: ['ignore', 2, 2, 'pipe'],
    });
    pids.push(worker.pid ?? 0);
    return worker;
  };
  return startWorkerPool({ workers, start, grace: 1_000, log });
}

/** Microseconds of processor time of the workers so far, in steps of 10 ms. */
function usedByWorkers(): number {
  const ticks = pids.map((pid) => {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const [user, system] = fields.split(' ').slice(11, 13).map(Number);
    return (user ?? 0) + (system ?? 0);
  });
  return 10_000 * ticks.reduce((sum, one) => sum + one, 0);
}

const { plan, secrets } = await planOfServer(maxConcurrent);
const server = await startEnvServer({
  host: await (workers > 0 ? startWorkers() : startLocalHost({ plan, secrets, log })),
  tasks: plan.tasks,
  bind: 'tcp://127.0.0.1:0',
  limits: { maxConcurrent },
  log,
});
answerQuestions({ address: server.address }, () => Promise.resolve(usedByWorkers()));
