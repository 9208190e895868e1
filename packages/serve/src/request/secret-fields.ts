import { isRecord } from './is-record.ts';
import type { JsonRecord } from './is-record.ts';

/** A row as it may leave the process: without the values of its environment and of its compose variables. */
export function withoutSecrets({ env: _secret, ...row }: JsonRecord): JsonRecord {
  const { compose } = row;
  return isRecord(compose) ? { ...row, compose: { files: compose['files'] } } : row;
}

/** A row that went out by `withoutSecrets`, with what was kept back of it. */
export function withSecretsOf(row: JsonRecord, known: JsonRecord): JsonRecord {
  const { env, compose } = known;
  return {
    ...row,
    ...(env === undefined || row['env'] !== undefined ? {} : { env }),
    ...(isRecord(compose) && isRecord(row['compose']) ? { compose } : {}),
  };
}
