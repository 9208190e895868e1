import { readFileSync } from 'node:fs';

/** A harness with an agent, as the tests in containers play it. */
export interface Agent {
  readonly id: string;
  readonly config?: Readonly<Record<string, unknown>>;
  /** What a task may bring that it does not take. */
  readonly lacks?: readonly ('MCP' | 'skills')[];
  /** The smallest images in which it was seen to work. */
  readonly smallest: readonly Image[];
}

/** What tools/docker-engine makes: Debian with Python and tmux; busybox alone; that with a musl and a bash. */
export type Image = 'debian:bookworm' | 'busybox:latest' | 'vf-musl:latest';

const agentFile = new URL('../../fixtures/shell-agent.py', import.meta.url);
const start = 'exec python3 "$HOME/agent.py" "$@"';

const command = {
  'harness.name': 'shell-agent',
  'harness.dialect': 'chat-completions',
  'harness.run': ['sh', '-c', start, 'sh', '{base_url}', '{api_key}', '{model}'],
  'harness.files': { 'agent.py': readFileSync(agentFile, 'utf8') },
};

export const agents: readonly Agent[] = [
  { id: 'bash', lacks: ['MCP', 'skills'], smallest: ['busybox:latest', 'vf-musl:latest'] },
  { id: 'codex', smallest: ['busybox:latest', 'vf-musl:latest'] },
  { id: 'claude-code', smallest: ['vf-musl:latest'] },
  { id: 'kimi-code', smallest: ['busybox:latest', 'vf-musl:latest'] },
  { id: 'opencode', smallest: ['busybox:latest', 'vf-musl:latest'] },
  { id: 'pi', smallest: ['busybox:latest', 'vf-musl:latest'] },
  // Two processes of Node, which one of the tasks leaves too little memory.
  { id: 'qwen-code', config: { 'runtime.memory_mb': 2048 }, smallest: ['vf-musl:latest'] },
  {
    id: 'mini-swe-agent',
    lacks: ['MCP', 'skills'],
    smallest: ['busybox:latest', 'vf-musl:latest'],
  },
  {
    id: 'terminus-2',
    lacks: ['MCP'],
    smallest: ['busybox:latest', 'vf-musl:latest'],
  },
  // Its few lines know no MCP.
  { id: 'command', config: command, lacks: ['MCP', 'skills'], smallest: ['debian:bookworm'] },
];

/** Agents of each way to bring one: their own build, a script with its Node, Python, a program of this machine. */
const ofEachWay = ['codex', 'pi', 'mini-swe-agent', 'terminus-2'];

/** All pairs of an agent and an image; without `VF_ALL_AGENTS` the small images of some. */
export function pairs(): readonly { readonly agent: Agent; readonly image: Image }[] {
  const all = process.env['VF_ALL_AGENTS'] !== undefined;
  return agents.flatMap((agent) => {
    const small = all || ofEachWay.includes(agent.id) ? agent.smallest : [];
    const images = new Set<Image>(['debian:bookworm', ...(all ? small : small.slice(0, 1))]);
    return [...images].map((image) => ({ agent, image }));
  });
}
