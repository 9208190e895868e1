import { sizeInMb } from './sizes.ts';
import { isTable } from './table.ts';
import type { Fault, Table } from './table.ts';

/**
 * Old spellings as schema 1.4 has them: root `version`, sizes as text, `allow_internet`, MCP over `http`. What cannot
 * be understood is told and left out.
 */
export function modernise(root: Table): {
  readonly table: Table;
  readonly faults: readonly Fault[];
} {
  const faults: Fault[] = [];
  const { version, multi_step_reward_mode: _ignored, ...rest } = root;
  const table: Record<string, unknown> = { ...rest };
  if (version !== undefined) table['schema_version'] ??= version;
  if (isTable(root['environment']))
    table['environment'] = machine(root['environment'], ['environment'], faults);
  if (isTable(root['verifier']))
    table['verifier'] = verifier(root['verifier'], ['verifier'], faults);
  if (Array.isArray(root['steps'])) {
    table['steps'] = root['steps'].map((step: unknown, i) =>
      isTable(step) && isTable(step['verifier'])
        ? { ...step, verifier: verifier(step['verifier'], ['steps', i, 'verifier'], faults) }
        : step,
    );
  }
  return { table, faults };
}

function verifier(table: Table, path: Fault['path'], faults: Fault[]): Table {
  const { environment } = table;
  if (!isTable(environment)) return table;
  return { ...table, environment: machine(environment, [...path, 'environment'], faults) };
}

function machine(given: Table, path: Fault['path'], faults: Fault[]): Table {
  const { memory, storage, allow_internet: internet, ...rest } = given;
  const table: Record<string, unknown> = { ...rest };
  size(table, 'memory', memory, path, faults);
  size(table, 'storage', storage, path, faults);
  const saysMore = table['network_mode'] !== undefined || table['allowed_hosts'] !== undefined;
  if (typeof internet === 'boolean' && !saysMore)
    table['network_mode'] = internet ? 'public' : 'no-network';
  if (Array.isArray(table['mcp_servers'])) table['mcp_servers'] = table['mcp_servers'].map(server);
  return table;
}

function size(
  table: Record<string, unknown>,
  name: 'memory' | 'storage',
  value: unknown,
  path: Fault['path'],
  faults: Fault[],
): void {
  if (typeof value !== 'string') return;
  const mb = sizeInMb(value);
  const modern = `${name}_mb`;
  const fault = (message: string) => faults.push({ path: [...path, name], message });
  if (mb === null) fault(`${JSON.stringify(value)} is no size; write 2G or 512M`);
  else if (table[modern] !== undefined && table[modern] !== mb)
    fault(`says ${mb} MB, ${modern} says ${JSON.stringify(table[modern])}`);
  else table[modern] = mb;
}

function server(given: unknown): unknown {
  return isTable(given) && given['transport'] === 'http'
    ? { ...given, transport: 'streamable-http' }
    : given;
}
