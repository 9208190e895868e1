import { describe, expect, it } from 'vitest';
import { caseOf, sha256, vectorsOf } from './corpus.ts';
import { rendererOf, subjects } from './families.ts';

describe.each(subjects)('$vectors', (subject) => {
  const { ours, encode } = subject.tokenizer();
  const vectors = vectorsOf(subject.vectors).filter(({ name }) => !subject.refuses.includes(name));

  it.each(vectors.filter(({ text }) => text !== undefined))(
    'says $name as the template does',
    (vector) => {
      const entry = caseOf(vector.name);
      const { tokenIds } = rendererOf(subject, entry).render({
        messages: entry.messages,
        tools: entry.tools ?? [],
        generationPrompt: entry.generation,
      });
      const text = Buffer.concat([...tokenIds].map((id) => ours.bytes(id))).toString();
      expect(text).toBe((ours.normalize ?? String)(vector.text ?? ''));
      expect([...tokenIds]).toEqual(encode(vector.text ?? ''));
      const own = subject.hasOthersIds === true ? undefined : vector.sha256;
      expect(sha256(tokenIds)).toBe(own ?? sha256(encode(vector.text ?? '')));
    },
  );

  it.each(subject.refuses)('refuses %s rather than lose a message', (name) => {
    const { messages, tools = [] } = caseOf(name);
    const render = () => rendererOf(subject).render({ messages, tools });
    expect(render).toThrow(expect.objectContaining({ code: 'misfit/not_renderable' }));
  });
});
