import { VfError } from '@vf/core/errors';
import type { StopReason } from './gate-keeper.ts';

/** Why a run stops whose folder takes no more. @throws whatever else went wrong */
export function diskReason(error: unknown): StopReason {
  const isOfDisk =
    VfError.isInstance(error) &&
    (error.code === 'store/disk_full' || error.code === 'store/not_writable');
  if (!isOfDisk) throw error;
  return { code: 'disk', message: error.message, errorCode: error.code };
}
