import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import type { PluginHost } from '@vf/plugin-host';
import { vfDir } from '../plugin-host.ts';
import { configSchemaText } from '../plugins/config-schema-text.ts';
import type { NewFiles } from './plugin-files.ts';

const schemaFile = 'vf.schema.json';

/** A commented config and the schema that its first line points an editor to. */
export async function configFiles(host: PluginHost, name: string): Promise<NewFiles> {
  const file = name.endsWith('.toml') ? name : `${name}.toml`;
  if (!/^[\w.][\w.-]*$/.test(file))
    throw new VfError('usage/invalid', `"${name}" cannot be the name of a config`, {
      hint: 'letters, digits, ".", "_" and "-"; --dir names another folder',
    });
  const template = await readFile(join(vfDir, 'templates/config.toml'), 'utf8');
  const { text } = await configSchemaText(host);
  return new Map([
    [file, template.replaceAll('{{file}}', file)],
    [schemaFile, `${text}\n`],
  ]);
}

/** The files without the schema, where an older one of ours is there: that one `vf schema -o` renews. */
export function withoutOurSchema(dir: string, files: NewFiles): NewFiles {
  const there = join(dir, schemaFile);
  const isOurs = existsSync(there) && readFileSync(there, 'utf8').includes('"$id": "vf:config"');
  return new Map([...files].filter(([path]) => !(isOurs && path === schemaFile)));
}
