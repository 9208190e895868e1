import { pythonFile } from '../python-file.ts';
import type { Serving } from './engine-spec.ts';

/** A server that does not end by itself when nobody wants it, under a program that ends it. */
export function supervised(
  { python, model, port, more }: Serving,
  environment: Readonly<Record<string, string>>,
  server: readonly string[],
): string[] {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const supervisor = [python, pythonFile('supervise.py'), '--model', model, '--port', `${port}`];
  return [...supervisor, ...more, '--', 'env', ...variables, python, ...server];
}

/** Nothing is asked of a model hub: the weights are here. */
export const offline = { HF_HUB_OFFLINE: '1', TRANSFORMERS_OFFLINE: '1', DO_NOT_TRACK: '1' };
