import { listOf, numberOf, objectOf } from '@vf/core/dialect';
import type { EngineHttp } from './engine-http.ts';

/** `max_model_len` of the served model; an adapter has its parent's. */
export async function maxModelLength(
  http: EngineHttp,
  model: string,
  signal: AbortSignal,
): Promise<number | null> {
  const models = listOf(objectOf(await http.get('/v1/models', signal))['data']).map(objectOf);
  const named = models.find(({ id }) => id === model);
  const parent = models.find(({ id }) => id === named?.['parent']);
  const lengths = [named, parent, models[0]].map((entry) => numberOf(entry?.['max_model_len']));
  return lengths.find((length) => length !== null) ?? null;
}
