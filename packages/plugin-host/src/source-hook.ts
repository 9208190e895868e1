import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

let isRegistered = false;

/**
 * Lets a module outside any project import `@vf/*` and `zod`: what its own project does not resolve is taken from vf.
 * @param vfDir a folder from which vf's own dependencies resolve
 */
export function registerSourceHook(vfDir: string): void {
  if (isRegistered) return;
  isRegistered = true;
  const parentURL = pathToFileURL(`${vfDir}/package.json`).href;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (!specifier.startsWith('@vf/') && specifier !== 'zod' && !specifier.startsWith('zod/'))
        return nextResolve(specifier, context);
      try {
        return nextResolve(specifier, context);
      } catch {
        if (specifier.startsWith('@vf/')) return nextResolve(specifier, { ...context, parentURL });
        // pnpm shows a package only to those that name it, and of vf only core names zod.
        const core = nextResolve('@vf/core', { ...context, parentURL });
        return nextResolve(specifier, { ...context, parentURL: core.url });
      }
    },
  });
}
