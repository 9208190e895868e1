import type { RolePlan, TaskInstance } from '@vf/rollout';
import type { RunWriter } from '@vf/store';
import { imagesOf } from '../plan/check-boxes.ts';
import type { Images } from '../plan/check-boxes.ts';

const limitMs = 10_000;

/** What was planned of images. */
interface Planned {
  readonly images: Images;
  readonly tasks: readonly TaskInstance[];
  readonly roles: readonly Pick<RolePlan, 'runtime'>[];
}

/** Writes down what stands behind images that were pulled since the plan was made; one that is not known is no failure. */
export async function keepImages(
  { images, tasks, roles }: Planned,
  writer: Pick<RunWriter, 'addToPlan'>,
): Promise<void> {
  if (Object.values(images).every((digest) => digest !== null)) return;
  const now = await imagesOf(tasks, roles, AbortSignal.timeout(limitMs)).catch(() => ({}));
  const known = Object.entries(now).filter(([, digest]) => digest !== null);
  if (known.length > 0) await writer.addToPlan('images', Object.fromEntries(known));
}
