import { VfError } from '@vf/core/errors';

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** What an exporter threw: an error of ours as it is, one of the file system by its kind, else a fault of the plugin. */
export function exportError(error: unknown, to: string, target: string): VfError {
  if (VfError.isInstance(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (typeof code === 'string' && full.has(code))
    return new VfError('store/disk_full', `no space left for ${target} (${code})`, {
      cause: error,
      hint: 'free some space; nothing was written',
    });
  if (typeof code === 'string' && error instanceof Error && 'syscall' in error)
    return new VfError('store/not_writable', `${target} cannot be written: ${reason}`, {
      cause: error,
      hint: 'name another path; nothing was written',
    });
  return new VfError('plugin/failed', `export ${to} threw: ${reason}`, {
    cause: error,
    hint: 'report it to its author; nothing was written',
  });
}
