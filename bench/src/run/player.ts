import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PluginHost } from '@vf/plugin-host';
import { RunSession, Secrets, createRun, planRun, resolveConfig, startServices } from '@vf/run';
import type { RunSummary } from '@vf/run';
import { answerQuestions } from '../processes/answer-questions.ts';

export interface Play {
  readonly modelUrl: string;
  readonly rollouts: number;
  readonly atOnce: number;
}

const folder = resolve(process.argv[2] ?? 'outputs');
const taskset = resolve(import.meta.dirname, '../../../examples/addition/addition.ts');
const bench = resolve(import.meta.dirname, '../..');

/** Plays a whole run as `vf eval` does: plan, folder, servers, rollouts, summary. */
async function play({ modelUrl, rollouts, atOnce }: Play): Promise<RunSummary> {
  const cwd = bench;
  const resolved = await resolveConfig({
    cwd,
    files: [],
    flags: Object.entries({
      'taskset.id': taskset,
      'taskset.count': rollouts,
      model: 'scripted',
      'client.base_url': `${modelUrl}/v1`,
      max_concurrent: atOnce,
      output_dir: folder,
    }).map(([path, value]) => ({
      flag: `--${path}`,
      path: path.split('.'),
      value,
      text: String(value),
    })),
    userFile: null,
  });
  const { config } = resolved;
  const secrets = new Secrets({});
  const host = new PluginHost({ cwd, vfDir: bench });
  const signal = new AbortController().signal;
  const plan = await planRun({ config, host, secrets, sourceOf: resolved.sourceOf }, signal);
  const opened = await createRun({ plan, resolved, secrets, version: 'bench', cwd, include: [] });
  const services = await startServices(plan, opened);
  const session = new RunSession({
    plan,
    ...opened,
    ...services,
    secrets,
    emit: () => undefined,
    interrupt: signal,
  });
  try {
    const { summary } = await session.play();
    return summary;
  } finally {
    await services.close();
    await opened.writer.close();
    await plan.close();
    await rm(opened.writer.dir, { recursive: true });
  }
}

answerQuestions({}, (question) => play(question as Play));
