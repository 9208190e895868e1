// Preloaded: names every module that the program loads, on stderr.
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, next) {
    process.stderr.write(`loaded ${url}\n`);
    return next(url, context);
  },
});
