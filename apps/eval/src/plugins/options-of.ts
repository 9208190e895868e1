import type { z } from '@vf/core';

/** A taskset, a harness and an environment carry theirs in `spec`, a runtime has it itself. */
export function optionsOf(plugin: unknown): z.ZodType | undefined {
  const { spec, config } = plugin as {
    readonly spec?: { readonly config?: z.ZodType };
    readonly config?: z.ZodType;
  };
  return spec?.config ?? config;
}
