import { VfError, familyOf } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';

export type PlaceOf = (path: string) => Pick<Problem, 'file' | 'line' | 'column'>;

let placeOf: PlaceOf = () => ({});

/** From now on `placed` knows where the values of the config of this command were written. */
export function setPlaces(find: PlaceOf): void {
  placeOf = find;
}

const placedCodes: ReadonlySet<string> = new Set([
  'config/invalid',
  'misfit/plan',
  'usage/invalid',
]);

/** An error whose problems with options of plugins say where those are written, as problems of our own keys do. */
export function placed(error: VfError): VfError {
  const { code, message, hint, cause, problems } = error;
  if (!placedCodes.has(code) && familyOf(code) !== 'plugin') return error;
  return new VfError(code, message, {
    ...(hint === null ? {} : { hint }),
    cause,
    problems: problems.map((problem) =>
      problem.file !== undefined || problem.path === undefined
        ? problem
        : { ...placeOf(problem.path), ...problem },
    ),
  });
}
