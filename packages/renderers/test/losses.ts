import { strip, stripEnd, stripLeadingLines, stripLines } from '../src/families/shared/text.ts';

/** What a reply says. */
export interface Said {
  readonly content: string;
  readonly reasoning: string | null;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

/** What a template does to a reply so that it does not come back as it was. */
export interface Loss {
  /** A reply that shows it. */
  readonly of: Said;
  readonly after: (said: Said) => Said;
  /** How much of it goes, the tokenizer decides: what came back is compared after it, too. */
  readonly varies?: true;
}

const call = { name: 'calc', arguments: '{"count": 1}' };

function text(content: string, reasoning: string | null = null): Said {
  return { content, reasoning, calls: [] };
}

/** White space up to its last line end: what a tokenizer may join with a line end before it. */
function withoutLead(said: string): string {
  return said.replace(/^\s*\n/, '');
}

/** The parameter `other` has no schema. */
function untyped(given: string): string {
  return given === '{"other": "12"}' ? '{"other": 12}' : given;
}

const catalogue = {
  'a think block that text spells is reasoning': {
    of: text('<think>R</think>A'),
    after: ({ content, reasoning, calls }) => {
      const [, thought, rest] = /^<think>(.*)<\/think>(.*)$/.exec(content) ?? [];
      return rest === undefined
        ? { content, reasoning, calls }
        : { content: rest, reasoning: thought ?? '', calls };
    },
  },
  'text that is the JSON of a call is a call': {
    of: text('{"name": "calc", "parameters": {}}'),
    after: (said) =>
      said.content === '{"name": "calc", "parameters": {}}'
        ? { ...said, content: '', calls: [{ name: 'calc', arguments: '{}' }] }
        : said,
  },
  'text for a parameter without a type is read as JSON': {
    of: { content: '', reasoning: null, calls: [{ name: 'calc', arguments: '{"other": "12"}' }] },
    after: (said) => ({
      ...said,
      calls: said.calls.map((made) => ({ ...made, arguments: untyped(made.arguments) })),
    }),
  },
  'reasoning is not printed': {
    of: text('A', 'R'),
    after: (said) => ({ ...said, reasoning: null }),
  },
  'empty reasoning is none': {
    of: text('A', ''),
    after: (said) => ({ ...said, reasoning: said.reasoning === '' ? null : said.reasoning }),
  },
  'blank reasoning is none': {
    of: text('A', ' '),
    after: (said) => (said.reasoning?.trim() === '' ? { ...said, reasoning: null } : said),
    varies: true,
  },
  'line ends between reasoning and text go': {
    of: text('\n\nA', 'R'),
    after: (said) =>
      said.reasoning === null ? said : { ...said, content: stripLeadingLines(said.content) },
  },
  'line ends in front of text merge with the header': {
    of: text('\n\nA'),
    after: (said) => ({ ...said, content: withoutLead(said.content) }),
    varies: true,
  },
  'line ends in front of reasoning merge with the header': {
    of: text('A', '\n\nR'),
    after: (said) => ({ ...said, reasoning: said.reasoning && withoutLead(said.reasoning) }),
    varies: true,
  },
  'empty reasoning beside a call is none': {
    of: { content: '', reasoning: '', calls: [call] },
    after: (said) =>
      said.calls.length > 0 && said.reasoning === '' ? { ...said, reasoning: null } : said,
  },
  'white space around text goes': {
    of: text(' A '),
    after: (said) => ({ ...said, content: strip(said.content) }),
  },
  'white space behind text goes': {
    of: text('A '),
    after: (said) => ({ ...said, content: stripEnd(said.content) }),
  },
  'line ends in front of text go': {
    of: text('\n\nA'),
    after: (said) => ({ ...said, content: stripLeadingLines(said.content) }),
  },
  'white space around reasoning goes': {
    of: text('A', ' R '),
    after: (said) => ({ ...said, reasoning: said.reasoning && strip(said.reasoning) }),
  },
  'line ends around reasoning go': {
    of: text('A', '\nR\n'),
    after: (said) => ({ ...said, reasoning: said.reasoning && stripLines(said.reasoning) }),
  },
  'blank text beside calls goes': {
    of: { content: ' ', reasoning: null, calls: [call] },
    after: (said) =>
      said.calls.length > 0 && said.content.trim() === '' ? { ...said, content: '' } : said,
  },
  'text beside a call is not printed': {
    of: { content: 'A', reasoning: null, calls: [call] },
    after: (said) => (said.calls.length > 0 ? { ...said, content: '' } : said),
  },
  'text beside a lone call is analysis': {
    of: { content: 'A', reasoning: null, calls: [call] },
    after: ({ content, reasoning, calls }) =>
      calls.length > 0 && (reasoning ?? '') === '' && content !== ''
        ? { content: '', reasoning: content, calls }
        : { content, reasoning, calls },
  },
} satisfies Readonly<Record<string, Loss>>;

type LossName = keyof typeof catalogue;

export const lossNames: readonly string[] = Object.keys(catalogue);

const plain: readonly LossName[] = [
  'reasoning is not printed',
  'line ends in front of text merge with the header',
];
const spelt = 'a think block that text spells is reasoning';
const asJson = 'text for a parameter without a type is read as JSON';
const stripped: readonly LossName[] = [
  spelt,
  asJson,
  'white space around text goes',
  'white space around reasoning goes',
  'empty reasoning is none',
];
const minimax: readonly LossName[] = [
  spelt,
  asJson,
  'line ends in front of text merge with the header',
  'blank reasoning is none',
  'line ends in front of reasoning merge with the header',
  'line ends around reasoning go',
  'line ends between reasoning and text go',
  'blank text beside calls goes',
];
const nemotron: readonly LossName[] = [
  asJson,
  'white space behind text goes',
  'blank reasoning is none',
  'line ends in front of reasoning merge with the header',
  'line ends around reasoning go',
  'line ends between reasoning and text go',
];
const silent: readonly LossName[] = ['reasoning is not printed', 'blank text beside calls goes'];

const families: Readonly<Record<string, readonly LossName[]>> = {
  smollm2: plain,
  chatml: plain,
  qwen3: [
    spelt,
    'line ends in front of text go',
    'line ends around reasoning go',
    'empty reasoning is none',
    'blank text beside calls goes',
  ],
  'qwen3-vl': [spelt, ...plain, 'blank text beside calls goes'],
  'qwen3.5': stripped,
  'qwen3.6': stripped,
  'glm-4.5': stripped,
  'glm-5': stripped,
  'minimax-m2': minimax,
  'minimax-m2.5': minimax,
  'nemotron-3': nemotron,
  'nemotron-3-ultra': nemotron,
  'kimi-k2': silent,
  'deepseek-v3': silent,
  'deepseek-v3-0324': silent,
  'deepseek-r1': [spelt, ...silent],
  'deepseek-v3.1': silent,
  'llama-3': [
    'text that is the JSON of a call is a call',
    'reasoning is not printed',
    'text beside a call is not printed',
    'white space around text goes',
  ],
  'gpt-oss': ['empty reasoning beside a call is none', 'text beside a lone call is analysis'],
};

/** What the template of a family loses, in the order in which it does. */
export function lossesOf(family: string): readonly (Loss & { readonly name: LossName })[] {
  return (families[family] ?? []).map((name) => ({ name, ...catalogue[name] }));
}
