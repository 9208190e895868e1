import { decode } from '@msgpack/msgpack';
import type { Episode } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { decodeEpisode, encodeEpisode } from '@vf/core/trace';
import { isRecord } from './is-record.ts';
import { pack } from './pack/pack.ts';
import { wireNodes } from './wire-nodes.ts';

/**
 * An episode as msgpack: its record with every digit of the logprobs, and the tensors that files leave out. The models
 * of verifiers take it as it is, unpacked.
 * @throws VfError internal/unexpected when a graph breaks a rule of the record
 */
export function packEpisode(episode: Episode): Uint8Array {
  const { traces, ...record } = encodeEpisode(episode, { tokens: 'apart' });
  const packed = episode.traces.map(({ graph }, at) => {
    const trace: unknown = Array.isArray(traces) ? traces[at] : undefined;
    return isRecord(trace) ? { ...trace, nodes: wireNodes(trace['nodes'], graph.nodes) } : trace;
  });
  return pack({ ...record, traces: packed });
}

/**
 * The episode of such bytes, ours or those of a Python program.
 * @throws VfError store/damaged with the path of what does not hold; store/newer_version
 */
export function unpackEpisode(bytes: Uint8Array): Episode {
  let record: unknown;
  try {
    record = decode(bytes);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new VfError('store/damaged', `the bytes are no msgpack: ${reason}`, { cause });
  }
  if (!isRecord(record)) throw new VfError('store/damaged', 'the bytes are no episode');
  return decodeEpisode(record);
}
