import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { RendererOptions } from './renderer.ts';

const manifest: unknown = createRequire(import.meta.url)('@vf/renderers/package.json');

/** SHA-256 of a text or of bytes, hex. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/**
 * Stands for the text of a family's template, which is code: the family, this package's version, and the options that
 * change what it writes. `retention` is none of them: it decides what is rendered anew, not how. Nor is the day, which a
 * template in Jinja reads too.
 */
export function familyHash(family: string, options: RendererOptions): string {
  const { thinking = null, keepThinking = null, effort = null } = options;
  return sha256(JSON.stringify([family, versionOf(manifest), thinking, keepThinking, effort]));
}

function versionOf(read: unknown): unknown {
  return typeof read === 'object' && read !== null && 'version' in read ? read.version : null;
}
