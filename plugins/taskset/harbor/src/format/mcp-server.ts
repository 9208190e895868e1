import { z } from '@vf/core';

/** `${NAME}` or `${NAME:-text}`, anywhere in a text. */
const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

const scheme = String.raw`(?:[A-Za-z][A-Za-z0-9_-]*\s+)?`;
const variable = String.raw`\$\{[A-Za-z_][A-Za-z0-9_]*(?::-)?\}`;
/** Only references without defaults, behind a scheme such as `Bearer` or not. */
const onlyReferences = new RegExp(String.raw`^\s*${scheme}${variable}(?:[\s:-]*${variable})*\s*$`);
const secretName = /key|secret|token|password|credential|auth|cookie/i;

/** Harbor's rule for credentials (harbor 0.25): the file names the variable, never the value. */
function holdsCredential(name: string, value: string): boolean {
  const isSecret = secretName.test(name);
  const defaults = [...value.matchAll(reference)].some(
    ([, of = '', fallback = '']) => fallback !== '' && (isSecret || secretName.test(of)),
  );
  return defaults || (isSecret && value.trim() !== '' && !onlyReferences.test(value));
}

const headers = z.record(z.string(), z.string()).superRefine((given, ctx) => {
  for (const [name, value] of Object.entries(given)) {
    const fault = (message: string) => ctx.addIssue({ code: 'custom', message, path: [name] });
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) fault('is no name of a header');
    else if (/[\r\n]/.test(value)) fault('must be one line');
    else if (holdsCredential(name, value))
      fault('must name a credential as ${NAME} without a default, such as "Bearer ${TOKEN}"');
  }
});

/** One of `environment.mcp_servers`. */
export const mcpServer = z
  .object({
    name: z.string().min(1),
    transport: z.enum(['stdio', 'sse', 'streamable-http']).default('sse'),
    url: z.string().optional(),
    command: z.string().optional(),
    args: z.array(z.string()).default([]),
    headers: headers.default({}),
  })
  .superRefine(({ transport, url, command, headers: given }, ctx) => {
    const fault = (path: string, message: string) =>
      ctx.addIssue({ code: 'custom', message, path: [path] });
    if (transport === 'stdio') {
      if (!command) fault('command', 'is needed for the transport stdio');
      if (Object.keys(given).length > 0) fault('headers', 'are of HTTP transports alone');
    } else if (!url) fault('url', `is needed for the transport ${transport}`);
  });

/**
 * A header's value with its references replaced.
 * @param lookUp the value of a variable where the rollout runs
 * @param onMissing called for a variable that is not set and has no default; must throw
 */
export function resolveHeader(
  value: string,
  lookUp: (name: string) => string | undefined,
  onMissing: (variable: string) => never,
): string {
  return value.replaceAll(
    reference,
    (_whole, name: string, fallback?: string) => lookUp(name) ?? fallback ?? onMissing(name),
  );
}
