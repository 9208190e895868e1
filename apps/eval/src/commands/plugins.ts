import { VfError, nearest } from '@vf/core/errors';

/** Each loads what it needs: listing must stay quick. */
const actions: Readonly<
  Record<string, () => Promise<{ run(argv: readonly string[]): Promise<number> }>>
> = {
  list: () => import('../plugins/list.ts'),
  show: () => import('../plugins/show.ts'),
  doctor: () => import('../doctor/doctor.ts'),
};

/** `vf plugins list|show|doctor` */
export async function run(argv: readonly string[]): Promise<number> {
  const [first = 'list'] = argv;
  const named = first.startsWith('-') ? 'list' : first;
  const load = Object.hasOwn(actions, named) ? actions[named] : undefined;
  if (load !== undefined) return (await load()).run(named === first ? argv.slice(1) : argv);
  const known = Object.keys(actions);
  const close = nearest(named, known);
  throw new VfError('usage/invalid', `vf plugins knows ${known.join(', ')}, not ${named}`, {
    hint: `vf plugins ${close ?? 'list'}`,
  });
}
