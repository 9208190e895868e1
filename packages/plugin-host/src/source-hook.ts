import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

let isRegistered = false;
let vfURL: string | null = null;
/** The `.ts` files that a path named, and those that they import relatively. */
const sources = new Set<string>();

/**
 * Imports a file that the user named by its path. Its TypeScript, and what it imports relatively, are ES modules
 * whatever `type` the package.json around it has: npm writes `commonjs` there unasked.
 * @param vfDir a folder from which vf's own dependencies resolve: `@vf/*` and `zod` are taken from there when the file's
 * own project has none
 */
export async function importSource(
  file: string,
  vfDir: string | null = null,
): Promise<Readonly<Record<string, unknown>>> {
  register();
  if (vfDir !== null) vfURL ??= pathToFileURL(`${vfDir}/package.json`).href;
  const { href } = pathToFileURL(file);
  sources.add(href);
  return (await import(href)) as Readonly<Record<string, unknown>>;
}

function register(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const found = resolveOwn(specifier, context, nextResolve);
      if (!isSource(found.url, specifier, context.parentURL)) return found;
      sources.add(found.url);
      return { ...found, format: 'module-typescript' };
    },
  });
}

type Resolve = NonNullable<Parameters<typeof registerHooks>[0]['resolve']>;

const resolveOwn: Resolve = (specifier, context, nextResolve) => {
  if (vfURL === null || !isOwn(specifier)) return nextResolve(specifier, context);
  try {
    return nextResolve(specifier, context);
  } catch {
    const fromVf = { ...context, parentURL: vfURL };
    if (specifier.startsWith('@vf/')) return nextResolve(specifier, fromVf);
    // pnpm shows a package only to those that name it, and of vf only core names zod.
    const core = nextResolve('@vf/core', fromVf);
    return nextResolve(specifier, { ...context, parentURL: core.url });
  }
};

function isOwn(specifier: string): boolean {
  return specifier.startsWith('@vf/') || specifier === 'zod' || specifier.startsWith('zod/');
}

function isSource(url: string, specifier: string, parentURL: string | undefined): boolean {
  if (!/\.ts(?:[?#]|$)/.test(url) || url.includes('/node_modules/')) return false;
  // By its own name too: of a link Node makes the file that it points to.
  if (sources.has(url) || sources.has(specifier)) return true;
  const isRelative = /^\.{1,2}\//.test(specifier);
  return isRelative && parentURL !== undefined && sources.has(parentURL);
}
