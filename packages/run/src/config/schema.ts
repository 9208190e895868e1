import { z } from '@vf/core';
import { nearest } from '@vf/core/errors';
import { parseDuration } from './durations.ts';

const count = z.int().nonnegative();
const positive = z.int().positive();
/** A whole number of a range, both ends in it. */
const between = (min: number, max: number) => {
  const expected = `expected a whole number from ${min} to ${max}`;
  return z.int().min(min, expected).max(max, expected);
};
/** With the longest wait between two tries this is days; a digit too many would be for ever. */
const retryCount = between(0, 10_000);
const text = z.string();
const duration = z.union([z.number(), z.string()]).transform((value, ctx) => {
  const ms = parseDuration(value);
  if (ms === null)
    ctx.addIssue({ code: 'custom', message: 'expected seconds or text such as "20m"' });
  return ms ?? 0;
});
const someTime = duration.refine((ms) => ms > 0, 'expected more than 0 seconds');
/** Timers take no more: they would fire at once. */
const longestGraceMs = 2 ** 31 - 1;
const grace = duration.refine((ms) => ms <= longestGraceMs, 'at most 24 days');
/** `none` takes a default away. */
const orNone = <T extends z.ZodType>(schema: T) => schema.nullable().optional();

const limits = z.strictObject({
  max_turns: orNone(positive),
  max_input_tokens: orNone(positive),
  max_output_tokens: orNone(positive),
  max_total_tokens: orNone(positive),
  max_cost: orNone(z.number().positive()),
});

const timeout = z.strictObject({
  boot: orNone(someTime),
  setup: orNone(someTime),
  rollout: orNone(someTime),
  finalize: orNone(someTime),
  scoring: orNone(someTime),
  multiplier: orNone(z.number().positive()),
});

const retries = z.strictObject({
  max_retries: orNone(retryCount),
  rules: z
    .array(
      z.strictObject({
        code: text.optional(),
        status_code: z.array(z.int()).optional(),
        max_retries: retryCount,
      }),
    )
    .optional(),
});

/** A table that was not understood as one is no name. */
const rendererName = text
  .min(1)
  .regex(
    /^(?!\s*[[{])/,
    'expected the name of a family, or a table such as { name = "qwen3", enable_thinking = false }',
  );

const client = z.strictObject({
  provider: orNone(text),
  type: z.enum(['eval', 'train']).optional(),
  engine: z.enum(['vllm', 'vllm-chat', 'sglang', 'llama.cpp']).optional(),
  replicas: z.array(z.url({ protocol: /^https?$/ })).optional(),
  renderer: z.union([rendererName, z.looseObject({ name: rendererName.optional() })]).optional(),
  tokenizer: orNone(text.min(1)),
  logprobs: z.enum(['raw', 'processed']).optional(),
  other_template: z.boolean().optional(),
  base_url: orNone(z.url({ protocol: /^https?$/ })),
  api_key_var: orNone(text.regex(/^[A-Za-z_]\w*$/, 'expected the name of a variable')),
  dialects: orNone(z.array(text).min(1)),
  headers: z.record(text, text).optional(),
  headers_from_env: z.record(text, text).optional(),
});

const probability = 'expected a number from 0 to 1';

/** Known keys are named as everywhere; any other goes to the provider as it is. */
export const sampling = z
  .object({
    // No upper bound: that is the provider's to know.
    temperature: orNone(z.number().nonnegative('expected a number from 0 on')),
    top_p: orNone(z.number().min(0, probability).max(1, probability)),
    top_k: orNone(z.int()),
    max_tokens: orNone(positive),
    max_completion_tokens: orNone(positive),
    stop: orNone(z.union([text, z.array(text)])),
    seed: orNone(z.int()),
    reasoning_effort: orNone(text),
    frequency_penalty: orNone(z.number()),
    presence_penalty: orNone(z.number()),
    parallel_tool_calls: orNone(z.boolean()),
  })
  .catchall(z.unknown())
  .superRefine((given, context) => {
    const keys = Object.keys(given).filter(isMisspelt);
    if (keys.length > 0) context.addIssue({ code: 'unrecognized_keys', keys, input: given });
  });

/** Providers have settings of their own (`min_p`, `top_a`), but a letter too many or too few is a typo. */
function isMisspelt(key: string): boolean {
  const known = Object.keys(sampling.shape);
  const close = known.includes(key) ? null : nearest(key, known);
  return close !== null && Math.abs(close.length - key.length) === 1;
}

const plugin = z.looseObject({ id: text.min(1) });
const harness = z.looseObject({
  id: text.min(1).optional(),
  version: orNone(text),
  env: z.record(text, text).optional(),
  forward_env: z.array(text).optional(),
});
const runtime = z.looseObject({
  id: orNone(text.min(1)),
  keep: z.enum(['never', 'failed']).optional(),
});

const role = z.strictObject({
  model: text.optional(),
  client: client.optional(),
  harness: harness.optional(),
  runtime: runtime.optional(),
  sampling: sampling.optional(),
  limits: limits.optional(),
  timeout: timeout.optional(),
  retries: retries.optional(),
});

const hook = z.strictObject({
  weight: z.number().optional(),
  enabled: z.boolean().optional(),
  fn: text.optional(),
});
const price = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cached: z.number().nonnegative().optional(),
  cache_write: z.number().nonnegative().optional(),
  long: z
    .strictObject({
      above: positive,
      input: z.number().nonnegative(),
      output: z.number().nonnegative(),
      cached: z.number().nonnegative().optional(),
      cache_write: z.number().nonnegative().optional(),
    })
    .optional(),
});
const countOrShare = 'expected a count, or a share from "0%" to "100%"';
const share = text.regex(/^(?:\d{1,2}(?:\.\d+)?|100(?:\.0+)?)%$/, countOrShare);

/** The whole of a run's configuration, in snake_case as people write it. */
export const configSchema = z.strictObject({
  model: text.min(1).optional(),
  num_examples: orNone(positive),
  rollouts_per_example: orNone(between(1, 100_000)),
  max_concurrent: orNone(positive),
  output_dir: orNone(text),
  run: orNone(
    text.regex(
      /^(?!(?:\.{1,2}|last)$)[\w.][\w.-]*$/,
      'letters, digits, ".", "_" and "-"; not "last"',
    ),
  ),
  display: orNone(z.enum(['live', 'lines', 'quiet'])),
  client: client.optional(),
  select: z
    .strictObject({
      include: z.array(text),
      exclude: z.array(text),
      skip: count,
      shuffle: z.boolean(),
      seed: z.int(),
    })
    .partial()
    .optional(),
  taskset: plugin.optional(),
  harness: harness.optional(),
  runtime: runtime.optional(),
  environment: plugin.optional(),
  roles: z.record(text, role).optional(),
  sampling: sampling.optional(),
  limits: limits.optional(),
  timeout: timeout.optional(),
  retries: retries.optional(),
  budget: z
    .strictObject({
      cost: orNone(z.number().positive()),
      tokens: orNone(positive),
      time: orNone(someTime),
    })
    .optional(),
  gate: z
    .strictObject({
      stop_after: orNone(count),
      max_unscored: orNone(z.union([z.int().nonnegative(countOrShare), share], countOrShare)),
      min_reward: orNone(z.number()),
    })
    .optional(),
  prices: z.record(text, price).optional(),
  providers: z
    .record(
      text,
      z.strictObject({
        base_url: z.url(),
        api_key_var: orNone(text),
        dialects: z.array(text).min(1),
        headers: z.record(text, text).optional(),
      }),
    )
    .optional(),
  rewards: z.record(text, hook).optional(),
  metrics: z.record(text, hook).optional(),
  stops: z.record(text, hook).optional(),
  judges: z
    .record(
      text,
      z.strictObject({
        model: text.optional(),
        client: client.optional(),
        prompt: text.optional(),
      }),
    )
    .optional(),
  interception: z
    .strictObject({
      multiplex: orNone(positive),
      early_head: orNone(duration),
      client_gone_grace: orNone(grace),
    })
    .optional(),
  // Each is a process of some 100 MB: a slip of the finger must not take the machine down.
  serve: z.strictObject({ workers: orNone(positive.max(256)) }).optional(),
  shutdown_grace: orNone(grace),
});

export type ConfigInput = z.output<typeof configSchema>;
export type SamplingInput = z.output<typeof sampling>;
export type ClientInput = z.output<typeof client>;
export type RoleInput = z.output<typeof role>;
