import { z } from 'zod';

/** What a package may bring. */
export const pluginKinds = [
  'dialect',
  'runtime',
  'harness',
  'taskset',
  'environment',
  'client',
  'export',
  'executor',
] as const;
export type PluginKind = (typeof pluginKinds)[number];

const contribution = z.strictObject({
  kind: z.enum(pluginKinds),
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]*$/, 'an id is lower-case letters, digits, ".", "_" and "-"'),
  entry: z
    .string()
    .regex(/^\.(\/.+)?$/, 'an export subpath: "." or "./name"')
    .default('.'),
  summary: z.string().default(''),
  requires: z
    .strictObject({ bins: z.array(z.string()).default([]), env: z.array(z.string()).default([]) })
    .default({ bins: [], env: [] }),
});

/** The `vf` block of a plugin's package.json. */
export const manifestSchema = z.strictObject({
  manifest: z.literal(1),
  contributes: z.array(contribution).min(1),
});

/** The `vf` block, checked. */
export type Manifest = z.infer<typeof manifestSchema>;
/** One plugin of a package. */
export type Contribution = Manifest['contributes'][number];
