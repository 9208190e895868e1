import { resolve } from 'node:path';
import type { Log } from '@vf/core';
import { PluginHost } from '@vf/plugin-host';
import { Secrets, planRun, resolveConfig } from '@vf/run';
import { startEnvServer, startLocalHost } from '@vf/serve';
import { answerQuestions } from '../processes/answer-questions.ts';

/** Our environment server in a process of its own: the addition taskset, the null harness. */
const taskset = resolve(import.meta.dirname, '../../../examples/addition/addition.ts');
const bench = resolve(import.meta.dirname, '../..');
const flags = Object.entries({
  'taskset.id': taskset,
  'taskset.count': 10,
  model: 'scripted',
  'client.provider': 'local',
  max_concurrent: Number(process.argv[2] ?? '64'),
}).map(([path, value]) => ({
  flag: `--${path}`,
  path: path.split('.'),
  value,
  text: String(value),
}));
const log: Log = { debug() {}, info() {}, warn: console.error, error: console.error };

const resolved = await resolveConfig({ cwd: bench, files: [], flags, userFile: null });
const { config, sourceOf } = resolved;
const secrets = new Secrets({});
const host = new PluginHost({ cwd: bench, vfDir: bench });
const plan = await planRun({ config, host, secrets, sourceOf }, new AbortController().signal);
const { maxConcurrent } = config;
const server = await startEnvServer({
  host: await startLocalHost({ plan, secrets, log }),
  tasks: plan.tasks,
  bind: 'tcp://127.0.0.1:0',
  limits: { maxConcurrent },
  log,
});
answerQuestions({ address: server.address }, () => Promise.resolve(server.counts()));
