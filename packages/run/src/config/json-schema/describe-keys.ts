import { isObjectSchema } from './json.ts';
import type { JsonSchema } from './json.ts';

/** What each key of the config is for, as an editor shows it; `*` stands for a name of the user's. */
export const keyDescriptions: Readonly<Record<string, string>> = {
  model: 'Goes to the provider as written',
  num_examples: 'Tasks to take; default: all',
  rollouts_per_example: 'Attempts at each task; default 1',
  max_concurrent: 'Rollouts at once; default 32',
  output_dir: 'Where runs are kept; default "outputs"',
  run: 'Name of the run’s folder',
  display: 'What is on the screen; default by terminal',
  shutdown_grace: 'How long cancelling may take before boxes are freed hard; default "30s"',
  taskset: 'What is played; further keys are options of the taskset',
  'taskset.id': 'An id, package#id, or a path',
  select: 'Which tasks',
  'select.include': 'Globs on key and name; default: all',
  'select.exclude': 'Globs on key and name',
  'select.skip': 'Leave out the first ones',
  'select.shuffle': 'Take them in another order',
  'select.seed': 'Of the shuffle; default 0',
  harness: 'The agent; further keys are options of the harness',
  'harness.id': 'An id, package#id, or a path; default "null"',
  'harness.version': 'Exact version of the agent; default: the plugin’s',
  'harness.env': 'Variables of the agent’s program; no secrets',
  'harness.forward_env': 'Names of variables that it gets from your shell; never recorded',
  runtime: 'Where agents run; further keys are options of the runtime',
  'runtime.id': 'Default: docker when a task names an image, else subprocess',
  'runtime.keep': '"failed": boxes of unscored rollouts stay until vf cleanup',
  environment: 'How many agents play a task; further keys are options of the environment',
  'environment.id': 'Default "single"',
  roles: 'What one role of the environment has of its own; the rest is the run’s',
  client: 'Where model calls go',
  'client.provider': 'openai, anthropic, openrouter, prime, local, or one of yours',
  'client.base_url': 'Another provider, or another address of it',
  'client.api_key_var': 'Name of the variable that holds the key',
  'client.dialects': 'chat-completions, responses, messages; default: the provider’s',
  'client.headers': 'Sent with each call; no secrets',
  'client.headers_from_env': 'Header = name of the variable with its value',
  'client.type': 'Default "eval"; "train": exact tokens from an engine',
  'client.engine': 'What serves the model at base_url, with type "train"',
  'client.renderer':
    'The model’s family, with type "train"; default "auto": by its name. Or a table: name, and settings',
  'client.tokenizer': 'Folder with the model’s tokenizer.json, with type "train"',
  'client.logprobs': '"processed": the vLLM was started with processed logprobs; default "raw"',
  'client.other_template':
    'true: the renderer is meant though the engine has another chat template; default false',
  sampling:
    'A key that is absent is left to the agent; unknown ones go to the provider as they are',
  providers: 'Providers of your own',
  prices: 'Dollars a million tokens, by model; without one the cost is unknown, not 0',
  limits: 'Of one rollout; it stops at a limit and is scored',
  'limits.max_cost': 'Dollars',
  timeout: 'Of the stages of a rollout; seconds, or text such as "20m"',
  'timeout.rollout': 'Of the agent',
  'timeout.multiplier': 'Stretches every limit, those of the tasks too; default 1',
  retries: 'Of failures that say nothing about the agent',
  'retries.max_retries': 'Default 3',
  'retries.rules': 'Other counts for some failures, by code or status',
  budget: 'Of the whole run; reaching one starts nothing new',
  'budget.cost': 'Dollars',
  gate: 'When a run stops early or fails',
  'gate.stop_after': 'Rollouts in a row that end with one error code; default 10, 0 never',
  'gate.max_unscored': 'More of them: exit 3; a count, or a share such as "1%"; default 0',
  'gate.min_reward': 'Below it: exit 5',
  rewards: 'Rewards of the taskset switched, weighed or added',
  metrics: 'Metrics of the taskset switched or added',
  stops: 'Stop conditions of the taskset switched or added',
  judges: 'Models of the taskset’s judges',
  interception: 'The server between agent and provider',
  'interception.multiplex': 'Rollouts that share a server; default 32',
  'interception.early_head': 'A streamed call that waits longer gets its head; default "20s"',
  'interception.client_gone_grace':
    'A call whose agent has gone is cancelled after it; default "2s"',
  serve: 'What vf serve does',
  'serve.workers': 'Processes that play; default 1, the server itself',
};

/** The schema with a description at each key that has one. */
export function describeKeys(schema: JsonSchema, path = ''): JsonSchema {
  const description = keyDescriptions[path];
  const described = description === undefined ? schema : { ...schema, description };
  if (!isObjectSchema(described)) return described;
  const properties = Object.fromEntries(
    Object.entries(described.properties).map(([key, inner]) => [
      key,
      describeKeys(inner, path === '' ? key : `${path}.${key}`),
    ]),
  );
  return { ...described, properties };
}
