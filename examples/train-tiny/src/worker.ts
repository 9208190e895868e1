import { join } from 'node:path';
import { startLocalModel } from '@vf/local-model';
import type { LocalModel } from '@vf/local-model';
import { exampleFile, startVf, vf } from './vf.ts';

/** Tokens of one rollout, prompt and reply: two turns with a calculator are the most. */
const context = 256;

/** What a worker is to play. */
export interface Play {
  /** Name of the run. */
  readonly run: string;
  /** A taskset of this example. */
  readonly taskset: string;
  readonly rollouts: number;
  readonly seed: number;
  /** Further flags. */
  readonly flags: Readonly<Record<string, string | number>>;
}

/** A replica of the engine, and the vf processes that collect rollouts from it, one rollout at a time. */
export interface Worker extends AsyncDisposable {
  /** Plays a run. Gives its folder. @throws Error when a rollout has no score */
  play(play: Play, signal: AbortSignal): Promise<string>;
  /** The same, but the first process is killed with SIGKILL once that many rollouts are done; a second one resumes. */
  playKilled(play: Play, after: number, signal: AbortSignal): Promise<string>;
}

/** Serves a file of weights with one thread and one slot, so that a rollout is computed the same whatever came before. */
export async function startWorker(
  about: { readonly weights: string; readonly tokenizer: string; readonly out: string },
  signal: AbortSignal,
): Promise<Worker> {
  const { weights, tokenizer, out } = about;
  const model = await startLocalModel({ weights, slots: 1, threads: 1, ctx: context, signal });
  const argsOf = (play: Play): string[] => {
    const flags = {
      'base-url': `${model.url}/v1`,
      'client.tokenizer': tokenizer,
      'rollouts-per-example': play.rollouts,
      'sampling.seed': play.seed,
      'output-dir': out,
      run: play.run,
      ...play.flags,
    };
    const files = [exampleFile(play.taskset), '@', exampleFile('train.toml')];
    return [
      'eval',
      ...files,
      ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, `${value}`]),
    ];
  };
  return {
    async play(play, killSignal) {
      await vf(argsOf(play), killSignal);
      return join(out, play.run);
    },
    async playKilled(play, after, killSignal) {
      let done = 0;
      const first = startVf(argsOf(play), killSignal, () => {
        if (++done === after) first.kill();
      });
      const { code } = await first.ended;
      killSignal.throwIfAborted();
      if (code !== null) throw new Error(`the worker was to be killed, and ended with ${code}`);
      await vf(['resume', join(out, play.run)], killSignal);
      return join(out, play.run);
    },
    [Symbol.asyncDispose]: () => end(model),
  };
}

function end(model: LocalModel): Promise<void> {
  return model.stop();
}
