import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { VfError } from '@vf/core/errors';
import type Docker from 'dockerode';
import { statusOf } from '../engine/engine-error.ts';

/** What the engine knows of a path in a container. */
export interface PathStat {
  readonly name: string;
  readonly size: number;
  readonly kind: 'file' | 'folder' | 'link' | 'special';
  /** Where a link leads, already followed to its end; else empty. */
  readonly linkTarget: string;
}

/** A path and the archive with what is there. */
export interface Archive {
  readonly path: string;
  readonly stat: PathStat;
  readonly body: Readable;
}

const longestChain = 16;

/**
 * Opens what is at a path, links followed. The body must be read or destroyed.
 * @throws VfError runtime/file_not_found, or what the engine answers
 */
export async function openArchive(
  container: Docker.Container,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Archive> {
  let at = path;
  for (let step = 0; step < longestChain; step++) {
    const body = await ask(() => container.getArchive(request(at, signal)), at);
    const stat = statFrom(body);
    if (stat.kind !== 'link') return { path: at, stat, body };
    body.destroy();
    at = posix.resolve(posix.dirname(at), stat.linkTarget);
  }
  throw notFound(path, 'is a link that leads nowhere');
}

/** null: there is nothing. A link is told as such. */
export async function statOf(
  container: Docker.Container,
  path: string,
  signal?: AbortSignal,
): Promise<PathStat | null> {
  try {
    const answer = await container.infoArchive(request(path, signal));
    answer.resume();
    return statFrom(answer);
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

export function notFound(path: string, how: string, cause?: unknown): VfError {
  return new VfError('runtime/file_not_found', `${path} ${how}`, {
    retryable: false,
    ...(cause === undefined ? {} : { cause }),
  });
}

function request(
  path: string,
  signal: AbortSignal | undefined,
): { path: string; abortSignal?: AbortSignal } {
  return { path, ...(signal === undefined ? {} : { abortSignal: signal }) };
}

async function ask(
  call: () => Promise<NodeJS.ReadableStream>,
  path: string,
): Promise<NodeJS.ReadableStream & Readable> {
  try {
    return (await call()) as NodeJS.ReadableStream & Readable;
  } catch (error) {
    // Also for a container that is gone, which the caller tells apart.
    if (statusOf(error) === 404 && /find the file|no such file/i.test(String(error))) {
      throw notFound(path, 'is not there', error);
    }
    if (/too many (?:levels of symbolic )?links/i.test(String(error))) {
      throw notFound(path, 'is a link to itself', error);
    }
    throw error;
  }
}

function statFrom(answer: NodeJS.ReadableStream): PathStat {
  const headers = 'headers' in answer ? (answer.headers as Record<string, string>) : {};
  const encoded = headers['x-docker-container-path-stat'] ?? '';
  const stat = JSON.parse(Buffer.from(encoded, 'base64').toString()) as GoStat;
  const { name, size, mode, linkTarget } = stat;
  return { name, size, kind: kindOf(mode), linkTarget };
}

interface GoStat {
  readonly name: string;
  readonly size: number;
  readonly mode: number;
  readonly linkTarget: string;
}

/** Bits of Go's fs.FileMode; the engine sends an unsigned 32-bit number. */
const folder = 2 ** 31;
const link = 2 ** 27;
const anyType = [2 ** 26, 2 ** 25, 2 ** 24, 2 ** 21, 2 ** 19];

function kindOf(mode: number): PathStat['kind'] {
  const has = (bit: number): boolean => Math.floor(mode / bit) % 2 === 1;
  if (has(folder)) return 'folder';
  if (has(link)) return 'link';
  return anyType.some(has) ? 'special' : 'file';
}
