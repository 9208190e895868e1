import { createHash } from 'node:crypto';
import { VfError } from '@vf/core/errors';
import type { PlannedSideModel } from './side-models.ts';

/** What of each judge and user decides what a run measures; long texts by their SHA-256. */
export function measuredSideModels(
  sideModels: readonly PlannedSideModel[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    sideModels.map(({ declared, model, prompt, sampling, connection }) => [
      declared.name,
      {
        model,
        prompt: fingerprint(prompt),
        measures: fingerprint(JSON.stringify(declared.measures ?? {})),
        sampling,
        client: VfError.isInstance(connection)
          ? undefined
          : { id: connection.provider.id, baseUrl: connection.provider.baseUrl },
      },
    ]),
  );
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
