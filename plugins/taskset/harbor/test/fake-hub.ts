import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { digestOf } from '../src/folder/digest.ts';

export interface HubPackages {
  /** Folder of each task, by `org/name`. */
  readonly tasks: Readonly<Record<string, string>>;
  /** Tasks of each dataset, by `org/name`; null stands for one that is not public. */
  readonly datasets?: Readonly<Record<string, readonly (string | null)[]>>;
  /** Datasets of the older registry, by `name@version`. */
  readonly listed?: Readonly<Record<string, readonly object[]>>;
}

/** A hub on this machine that answers the requests of harbor 0.25, as PostgREST and Supabase Storage do. */
export class FakeHub implements AsyncDisposable {
  readonly url: string;
  /** `METHOD /path` of each request. */
  readonly asked: string[] = [];
  /** Given in place of an archive, by `org/name`. */
  readonly archives = new Map<string, Buffer>();
  /** Answered once each, before anything else. */
  readonly failures: number[] = [];
  readonly #server: ReturnType<typeof createServer>;
  readonly #packages: HubPackages;

  private constructor(packages: HubPackages, server: ReturnType<typeof createServer>) {
    this.#packages = packages;
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  static async start(packages: HubPackages): Promise<FakeHub> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new FakeHub(packages, server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    this.asked.push(`${request.method} ${pathname}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const failure = this.failures.shift();
    if (failure !== undefined) return void response.writeHead(failure).end('down');
    if (request.headers['apikey'] === undefined) return void response.writeHead(401).end();
    const body: unknown = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
    const answer = await this.#route(pathname, searchParams, body as Record<string, string>);
    if (answer === undefined) return void response.writeHead(404).end('{"message":"not found"}');
    if (Buffer.isBuffer(answer)) return void response.writeHead(200).end(answer);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  async #route(path: string, query: URLSearchParams, body: Record<string, string>) {
    const { listed = {} } = this.#packages;
    const name = query.get('name')?.slice('eq.'.length);
    if (path === '/rest/v1/dataset')
      return Object.keys(listed)
        .filter((one) => one.startsWith(`${name}@`))
        .map((one) => ({ version: one.split('@')[1] }));
    if (path === '/rest/v1/rpc/get_dataset') {
      const tasks = listed[`${body['p_name']}@${body['p_version']}`];
      if (tasks === undefined) return null;
      return { name: body['p_name'], version: body['p_version'], tasks, metrics: [] };
    }
    if (path === '/rest/v1/dataset_version_tag' || path === '/rest/v1/dataset_version')
      return this.#versions(path, query);
    if (path === '/rest/v1/dataset_version_task') return this.#edges(query);
    if (path === '/rest/v1/rpc/resolve_task_version') return this.#task(body);
    if (path.startsWith('/storage/v1/object/packages/')) return this.#archive(path);
    return undefined;
  }

  /** Every dataset has the revision 1, which is `latest`, too. */
  #versions(path: string, query: URLSearchParams): object[] {
    const of = (key: string) => query.get(key)?.slice('eq.'.length);
    const id = `${of('package.org.name')}/${of('package.name')}`;
    const isThere = Object.hasOwn(this.#packages.datasets ?? {}, id);
    const wanted = of('tag') ?? of('revision');
    if (!isThere || of('package.type') !== 'dataset') return [];
    if (wanted !== 'latest' && wanted !== '1') return [];
    const row = { id, content_hash: 'd'.repeat(64), revision: 1 };
    const about = { name: of('package.name'), org: { name: of('package.org.name') } };
    return path.endsWith('_tag')
      ? [{ dataset_version: row, package: about }]
      : [{ ...row, package: about }];
  }

  /** A thousand rows at most, whatever is asked for. */
  async #edges(query: URLSearchParams): Promise<object[]> {
    const id = query.get('dataset_version_id')?.slice('eq.'.length) ?? '';
    const first = Number(query.get('offset') ?? 0);
    const limit = Math.min(1000, Number(query.get('limit') ?? 1000));
    const tasks = (this.#packages.datasets?.[id] ?? []).slice(first, first + limit);
    return Promise.all(
      tasks.map(async (task, i) => ({
        task_version_id: String(first + i),
        task_version: task === null ? null : await this.#taskRow(task),
      })),
    );
  }

  async #taskRow(task: string): Promise<object> {
    const [org, name] = task.split('/');
    return { content_hash: await this.#digest(task), package: { name, org: { name: org } } };
  }

  readonly #digests = new Map<string, Promise<string>>();

  #digest(task: string): Promise<string> {
    const dir = this.#packages.tasks[task] ?? '';
    const digest = this.#digests.get(task) ?? digestOf(dir);
    this.#digests.set(task, digest);
    return digest;
  }

  async #task({ p_org: org, p_name: name, p_ref: ref }: Record<string, string>) {
    const task = `${org}/${name}`;
    if (!Object.hasOwn(this.#packages.tasks, task)) return null;
    const digest = await this.#digest(task);
    if (ref !== 'latest' && ref !== `sha256:${digest}`) return null;
    return {
      id: task,
      archive_path: `packages/${task}/${digest}/dist.tar.gz`,
      content_hash: digest,
    };
  }

  async #archive(path: string): Promise<Buffer | undefined> {
    const [org, name] = path.slice('/storage/v1/object/packages/packages/'.length).split('/');
    const task = `${org}/${name}`;
    const dir = this.#packages.tasks[task];
    return dir === undefined ? undefined : (this.archives.get(task) ?? (await archived(dir)));
  }
}

/** Files alone, as Harbor's publisher packs them. */
async function archived(dir: string): Promise<Buffer> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files: Record<string, Buffer> = {};
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[path.slice(dir.length + 1)] = await readFile(path);
  }
  return tarGz(Object.entries(files).map(([name, content]) => [{ name }, content]));
}

export async function tarGz(
  entries: readonly (readonly [Parameters<ReturnType<typeof pack>['entry']>[0], Buffer])[],
): Promise<Buffer> {
  const tar = pack();
  for (const [header, content] of entries) tar.entry(header, content);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk);
  return gzipSync(Buffer.concat(chunks));
}
