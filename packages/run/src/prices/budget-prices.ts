import { VfError } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import type { RunPlan } from '../plan/run-plan.ts';
import { repliesNameCost } from './find-price.ts';

type Planned = Pick<RunPlan, 'config' | 'episode' | 'providers' | 'sideModels'>;

/**
 * A budget in dollars needs to know what each model costs.
 * @throws VfError config/no_price with the lines to add
 */
export function requirePrices({ config, episode, providers, sideModels }: Planned): void {
  if (config.budget.cost === null) return;
  const roles = Object.values(episode.roles)
    .filter(({ dialect }) => dialect !== '')
    .map(({ name, model, price }) => ({
      who: name,
      model,
      price,
      baseUrl: providers[name]?.baseUrl ?? '',
    }));
  const sides = sideModels.flatMap(({ declared, model, price, connection }) =>
    VfError.isInstance(connection)
      ? []
      : [{ who: declared.name, model, price, baseUrl: connection.provider.baseUrl }],
  );
  const unpriced = [...roles, ...sides].filter(
    ({ price, baseUrl }) => price === null && !repliesNameCost(baseUrl),
  );
  if (unpriced.length === 0) return;
  const problems: Problem[] = unpriced.map(({ who, model, baseUrl }) => ({
    path: `prices.${JSON.stringify(model)}`,
    message: `no price is known for ${model} at ${baseUrl} (${who})`,
  }));
  const models = [...new Set(unpriced.map(({ model }) => model))];
  throw new VfError('config/no_price', 'budget.cost cannot be kept: a model has no price', {
    problems,
    hint: `into a config file, dollars per million tokens:\n${models.map(linesFor).join('\n')}`,
  });
}

function linesFor(model: string): string {
  return `    [prices.${JSON.stringify(model)}]\n    input = 1.25     # the provider's own figures in place of these\n    output = 10.0\n    cached = 0.125   # optional: cache reads, else as input; cache_write likewise`;
}
