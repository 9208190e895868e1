import { fileURLToPath } from 'node:url';

/** A file of this package's python folder. */
export function pythonFile(name: string): string {
  return fileURLToPath(new URL(`../python/${name}`, import.meta.url));
}
