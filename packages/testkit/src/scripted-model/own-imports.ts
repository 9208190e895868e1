import { registerHooks } from 'node:module';

let isRegistered = false;

/**
 * From here on `@vf/testkit` and `@vf/core` are found from any folder: where a module's own project has them not, they
 * are those of the testkit that runs.
 */
export function provideOwnImports(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (!/^@vf\/(?:testkit|core)(?:\/|$)/.test(specifier)) return nextResolve(specifier, context);
      try {
        return nextResolve(specifier, context);
      } catch {
        return nextResolve(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}
