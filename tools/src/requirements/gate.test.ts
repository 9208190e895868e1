import { describe, expect, it } from 'vitest';
import { requirementViolations } from './gate.ts';

const list = (...ids: string[]) => ({
  file: 'requirements/graph.json',
  requirements: ids.map((id) => ({ id, text: 'holds' })),
});
const test = (text: string) => ({ path: 'a.test.ts', text });
/** Put together, so that this file cites nothing itself. */
const cite = (id: string) => `it('works [${id}]', () => {})`;

describe('requirementViolations', () => {
  it('is empty when every rule is cited, by whatever file', () => {
    const tests = [test(cite('graph/a')), test(cite('graph/b'))];
    expect(requirementViolations([list('graph/a', 'graph/b')], tests)).toEqual([]);
  });

  it('names a rule without a test', () => {
    expect(requirementViolations([list('graph/a')], [test('it()')])).toEqual([
      'requirements/graph.json: no test cites [graph/a]',
    ]);
  });

  it('names a test that cites what no list has, in a family that has a list', () => {
    const tests = [test(cite('graph/a') + cite('graph/x') + cite('other/x') + 'list[0/1]')];
    expect(requirementViolations([list('graph/a')], tests)).toEqual([
      'a.test.ts: cites [graph/x], which no list has',
    ]);
  });

  it('names entries that are wrong themselves', () => {
    const twice = [
      list('graph/a'),
      { file: 'b.json', requirements: [{ id: 'graph/a', text: '' }] },
    ];
    expect(requirementViolations(twice, [test(cite('graph/a'))])).toEqual([
      'b.json: [graph/a] says nothing',
      'b.json: [graph/a] is in requirements/graph.json as well',
    ]);
    expect(requirementViolations([list('Graph a')], [])[0]).toContain('is not family/name');
  });
});
