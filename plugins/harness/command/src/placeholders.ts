/** What strings of the config may hold in braces, and what stands in its place. */
const meanings = {
  prompt: 'the text of the user turn',
  prompt_file: 'a file with it',
  system_prompt_file: "a file with the task's system prompt, empty when there is none",
  model: "the model's name",
  home: "the rollout's own home, below which `files` and `copy` are",
  workdir: 'where the task is worked on',
  mcp_file: "a JSON file of the task's tools as MCP servers",
  base_url: 'the endpoint with /v1',
  origin: 'the endpoint without it',
  api_key: 'its key, of this rollout alone',
} as const;

export type Placeholder = keyof typeof meanings;
export const allPlaceholders = Object.keys(meanings) as readonly Placeholder[];
/** Those that are known before the first turn. */
export const standingPlaceholders = allPlaceholders.filter((name) => name !== 'prompt');

const pattern = /\{([a-z][a-z_]*)\}/g;

/** What is wrong with the placeholders of a text, in words. */
export function faultsOf(text: string, known: readonly Placeholder[]): readonly string[] {
  const list = listed(known);
  return namesIn(text)
    .filter((name) => !known.some((one) => one === name))
    .map((name) => `no placeholder {${name}} here; known: ${list}`);
}

/** `{prompt} {prompt_file}`, as the user writes them. */
export function listed(names: readonly Placeholder[]): string {
  return names.map((name) => `{${name}}`).join(' ');
}

export function mentions(text: string, name: Placeholder): boolean {
  return namesIn(text).includes(name);
}

/** The text with values in place; braces around anything that has none stay as they are. */
export function fill(text: string, values: Partial<Readonly<Record<string, string>>>): string {
  return text.replaceAll(pattern, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}

function namesIn(text: string): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}
