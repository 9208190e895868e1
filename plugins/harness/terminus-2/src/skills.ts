import type { RuntimeApi, Skill } from '@vf/core';

/** What the model is told of its skills: where each lies, and what for; '' when there are none. */
export async function describeSkills(
  runtime: RuntimeApi,
  skills: readonly Skill[],
  signal: AbortSignal,
): Promise<string> {
  if (skills.length === 0) return '';
  const lines = await Promise.all(
    skills.map(async ({ name, path }) => {
      const file = `${path}/SKILL.md`;
      const text = Buffer.from(await runtime.read(file, { signal })).toString();
      return `- ${name} (${file}): ${descriptionIn(text)}`;
    }),
  );
  return `Guides that may help; read the file of one before you use it:\n${lines.join('\n')}`;
}

/** From the head of a SKILL.md. */
function descriptionIn(text: string): string {
  const [, head = ''] = /^---\r?\n([^]*?)\n---/.exec(text) ?? [];
  const [, said = ''] = /^description:\s*(.*)$/m.exec(head) ?? [];
  return said.trim().replace(/^(["'])(.*)\1$/, '$2');
}
