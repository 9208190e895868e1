import { dirname, join } from 'node:path';
import { cachedVenv } from './venv.ts';

/** pandas, pyarrow and DuckDB, and Harbor beside them for the sake of its models alone: it wants Python 3.12. */
export function pythonOfNotebooks(found: string): Promise<string> {
  return cachedVenv(found, 'notebook-1', [
    ['pandas==3.1.1', 'pyarrow==26.0.1', 'duckdb==2.0.1', 'pydantic==2.14.4'],
    ['--no-deps', '--python-version', '3.12', '--target', '{folder}/harbor', 'harbor==0.25.0'],
  ]);
}

/** Where Harbor's package lies beside such a Python. */
export function harborBeside(python: string): string {
  return join(dirname(dirname(python)), 'harbor');
}
