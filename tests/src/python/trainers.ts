import { dirname, join } from 'node:path';
import { cachedVenv } from './venv.ts';

const trainers = ['agentlightning==1.0.2', 'verl==0.9.1', 'trl==1.16.0'];
/** What Agent Lightning's module of rollouts imports. */
const imported = ['pydantic==2.14.4', 'numpy==2.4.6', 'httpx==0.28.1', 'httpx-retries==0.6.0'];

/** Agent Lightning (which wants Python 3.12), verl and TRL for their descriptions of a sample, without PyTorch. */
export function pythonOfTrainers(found: string): Promise<string> {
  const beside = ['--no-deps', '--python-version', '3.12', '--target', '{folder}/peers'];
  return cachedVenv(found, 'trainers-2', [imported, [...beside, ...trainers]]);
}

/** Where the packages of the trainers lie beside such a Python. */
export function trainersBeside(python: string): string {
  return join(dirname(dirname(python)), 'peers');
}
