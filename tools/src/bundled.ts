import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/**
 * Libraries that go into a package's own JavaScript although users install them too: zod is 95 files, and finding and
 * reading those took a fifth of the start of `vf eval`. Its types still come from the package itself.
 */
export const alwaysBundled = ['zod'];

const insidePackage = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Leaves the sources of libraries out of our source maps, which they would make ten times as large. */
export const ownSourceMapsOnly: Plugin = {
  name: 'own-source-maps-only',
  setup(build) {
    // One mapping, since esbuild takes a map without any for none at all.
    const map = { version: 3, sources: [''], sourcesContent: [''], mappings: 'AAAA' };
    const empty = Buffer.from(JSON.stringify(map)).toString('base64');
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[mc]?js$/ }, async ({ path }) => ({
      contents: `${await readFile(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${empty}`,
      loader: 'js',
    }));
  },
};

/** Writes the licences of the libraries in the bundle to `file`, when there are any. */
export function thirdPartyNotices(folder: string, file: string): Plugin {
  return {
    name: 'third-party-notices',
    setup(build) {
      build.onEnd(async ({ metafile }) => {
        const inputs = Object.keys(metafile?.inputs ?? {}).flatMap(
          (input) => insidePackage.exec(input)?.[0] ?? [],
        );
        const notices = [...new Set(inputs)].toSorted().map((path) => noticeOf(join(folder, path)));
        if (notices.length === 0) return;
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, `${notices.join('\n\n')}\n`);
      });
    },
  };
}

function noticeOf(packageFolder: string): string {
  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license: string;
  };
  const [licence] = globSync('{LICENSE,LICENCE,License,license}*', { cwd: packageFolder });
  if (licence === undefined) throw new Error(`${packageFolder} has no licence file`);
  const text = readFileSync(join(packageFolder, licence), 'utf8').trim();
  return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text}`;
}
