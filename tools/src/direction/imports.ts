import { parseSync } from 'oxc-parser';

/** One import or re-export of a module. */
export interface ModuleImport {
  readonly specifier: string;
  /** Only types are taken, so nothing is loaded at run time. */
  readonly typeOnly: boolean;
  /** Only loaded when it is called. */
  readonly isCalled: boolean;
  /** Line of the statement, from 1. */
  readonly line: number;
}

/** All static and literal dynamic imports of a source, in the order in which they stand. */
export function importsOf(path: string, text: string): ModuleImport[] {
  const { module } = parseSync(path, text);
  const found: { specifier: string; typeOnly: boolean; isCalled: boolean; start: number }[] = [];
  for (const { moduleRequest, entries, start } of module.staticImports) {
    const typeOnly = entries.length > 0 && entries.every((entry) => entry.isType);
    found.push({ specifier: moduleRequest.value, typeOnly, isCalled: false, start });
  }
  for (const { entries, start } of module.staticExports) {
    const requested = entries.filter((entry) => entry.moduleRequest !== null);
    const specifier = requested[0]?.moduleRequest?.value;
    if (specifier === undefined) continue;
    const typeOnly = requested.every((entry) => entry.isType);
    found.push({ specifier, typeOnly, isCalled: false, start });
  }
  for (const { moduleRequest, start } of module.dynamicImports) {
    const literal = /^(['"`])(.*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end));
    if (literal?.[2] !== undefined)
      found.push({ specifier: literal[2], typeOnly: false, isCalled: true, start });
  }
  return found
    .toSorted((a, b) => a.start - b.start)
    .map(({ specifier, typeOnly, isCalled, start }) => ({
      specifier,
      typeOnly,
      isCalled,
      line: text.slice(0, start).split('\n').length,
    }));
}
