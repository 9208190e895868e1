import { VfError } from '@vf/core/errors';
import { fetched } from '../fetched.ts';
import type { HubAddress } from './address.ts';

const pageSize = 1000;

/** Reads a hub, which answers as PostgREST and Supabase Storage do. */
export class HubReader {
  readonly #address: HubAddress;
  readonly #signal: AbortSignal;

  constructor(address: HubAddress, signal: AbortSignal) {
    this.#address = address;
    this.#signal = signal;
  }

  get url(): string {
    return this.#address.url;
  }

  /** Rows of a table; `filters` as PostgREST writes them, such as `name: 'eq.sums'`. */
  async rows(table: string, filters: Readonly<Record<string, string>>): Promise<unknown[]> {
    const query = new URLSearchParams(filters);
    const rows: unknown = await (await this.#ask(`/rest/v1/${table}?${query.toString()}`)).json();
    if (Array.isArray(rows)) return rows;
    throw new VfError('taskset/load_failed', `${this.url} gives no rows of ${table}`);
  }

  /** All rows, however many: an answer holds a thousand at most. */
  async allRows(table: string, filters: Readonly<Record<string, string>>): Promise<unknown[]> {
    const all: unknown[] = [];
    for (;;) {
      const page = { offset: String(all.length), limit: String(pageSize) };
      const rows = await this.rows(table, { ...filters, ...page });
      all.push(...rows);
      if (rows.length < pageSize) return all;
    }
  }

  async call(name: string, body: Readonly<Record<string, string>>): Promise<unknown> {
    const answer = await this.#ask(`/rest/v1/rpc/${name}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    return answer.json();
  }

  /** A stored file as it comes. */
  async file(bucket: string, path: string): Promise<ReadableStream<Uint8Array>> {
    const parts = [bucket, ...path.split('/')].map(encodeURIComponent);
    const { body } = await this.#ask(`/storage/v1/object/${parts.join('/')}`);
    if (body !== null) return body;
    throw new VfError('taskset/load_failed', `${this.url} gives nothing for ${path}`);
  }

  #ask(path: string, init: Pick<RequestInit, 'method' | 'body'> = {}): Promise<Response> {
    const { url, key } = this.#address;
    const headers = {
      apikey: key,
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
    };
    return fetched(`${url}${path}`, { ...init, headers }, this.#signal);
  }
}
