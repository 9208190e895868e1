import type { Measured } from './measured.ts';
import type { PlanRecord } from './plan-record.ts';

/** What a rescored run decides itself: the rows, and who scores them. */
const ofScoring = /^(taskset|judges|hooks\.rewards|hooks\.metrics|plugins\.taskset)[./]/;

/** The fields of a plan that say with what was played. */
interface Played {
  readonly measured: Measured;
  readonly images: PlanRecord['images'];
  readonly about: object;
  readonly providers: object;
  readonly plugins: readonly { readonly kind: string }[];
}

/** A rescored run was played by what its parent was played by; the plan made for scoring knows no model to ask. */
export function playedByParent<Record extends Played>(record: Record, parent: PlanRecord): Record {
  const measured = {
    ...only(parent.measured, (path) => !ofScoring.test(path)),
    ...only(record.measured, (path) => ofScoring.test(path)),
  };
  const { models, harnesses, runtimes } = parent.about;
  return {
    ...record,
    measured,
    about: { ...record.about, ...known({ models, harnesses, runtimes }) },
    images: parent.images,
    providers: parent.providers,
    plugins: [
      ...record.plugins.filter(({ kind }) => kind === 'taskset'),
      ...parent.plugins.filter(({ kind }) => kind !== 'taskset'),
    ],
  };
}

function only(values: Measured, isWanted: (path: string) => boolean): Measured {
  return Object.fromEntries(Object.entries(values).filter(([path]) => isWanted(path)));
}

function known(values: Measured): Measured {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
