#!/usr/bin/env -S node --min-semi-space-size=16
// Old syntax only up to the version check: an old Node must get as far as the message.
import module from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 19)) {
  // Compiled code is kept in the temporary folder from one start to the next.
  module.enableCompileCache();
  void import('@vf/eval')
    .then(({ main }) => main(process.argv.slice(2)))
    .then((code) => {
      process.exitCode = code;
      // A timer or socket that a hook left behind must not keep a run that is over.
      setTimeout(() => process.exit(), 1000).unref();
    });
} else {
  process.stderr.write(
    `vf needs Node 22.19 or newer, this is ${process.version}: install one from https://nodejs.org, or \`npm install node@24\` and call \`npx vf\`; for one command \`npx -y node@24 FILE …\` instead of \`node FILE …\`\n`,
  );
  process.exitCode = 2;
}
