/** A rule that some test has to hold: an entry of a list in requirements/. */
export interface Requirement {
  /** `family/name`; tests cite it in their names as `[family/name]`. */
  readonly id: string;
  readonly text: string;
}

/** One list; `file` is shown in messages. */
export interface RequirementList {
  readonly file: string;
  readonly requirements: readonly Requirement[];
}

/** The source of a test. */
export interface TestSource {
  readonly path: string;
  readonly text: string;
}

const idPattern = /^[a-z][a-z0-9-]*\/[a-z0-9][a-z0-9-]*$/;
const citation = /\[([a-z][a-z0-9-]*\/[a-z0-9][a-z0-9-]*)\]/g;

/** What is wrong between the lists and the tests that cite them; [] when every rule has its test. */
export function requirementViolations(
  lists: readonly RequirementList[],
  tests: readonly TestSource[],
): string[] {
  const known = new Map<string, string>();
  const violations = lists.flatMap((list) => listViolations(list, known));
  const families = new Set([...known.keys()].map(familyOf));
  const cited = new Set<string>();
  for (const { path, text } of tests) {
    for (const id of citationsOf(text)) {
      cited.add(id);
      if (families.has(familyOf(id)) && !known.has(id)) {
        violations.push(`${path}: cites [${id}], which no list has`);
      }
    }
  }
  const untested = [...known].filter(([id]) => !cited.has(id));
  return [...violations, ...untested.map(([id, file]) => `${file}: no test cites [${id}]`)];
}

/** Adds the ids of a list to `known`. */
function listViolations(list: RequirementList, known: Map<string, string>): string[] {
  return list.requirements.flatMap(({ id, text }) => {
    const found: string[] = [];
    if (!idPattern.test(id)) found.push(`${list.file}: "${id}" is not family/name`);
    if (text.trim() === '') found.push(`${list.file}: [${id}] says nothing`);
    if (known.has(id)) found.push(`${list.file}: [${id}] is in ${known.get(id)} as well`);
    known.set(id, list.file);
    return found;
  });
}

function citationsOf(text: string): readonly string[] {
  return [...text.matchAll(citation)].flatMap(([, id]) => id ?? []);
}

function familyOf(id: string): string {
  return id.slice(0, id.indexOf('/'));
}
