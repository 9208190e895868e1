import type { Head, Reply } from '@vf/core';
import { AbortListener } from '@vf/core/life';
import type { Abortable } from '@vf/core/life';
import type { Dispatcher } from 'undici';
import { KeyMask } from './key-mask.ts';
import { replyHeaders } from './relay-headers.ts';
import { ReplyBody } from './reply-body.ts';
import { sendFailure } from './send-failure.ts';

type Controller = Dispatcher.DispatchController;

/** One call on its way: undici's handler, settled with the reply as soon as its head is there. */
export class ProviderCall implements Dispatcher.DispatchHandler, Abortable {
  readonly #origin: string;
  readonly #key: string | null;
  readonly #signal: AbortSignal;
  readonly #onAbort: AbortListener;
  readonly #reply = Promise.withResolvers<Reply>();
  #body: ReplyBody | null = null;
  #controller: Controller | null = null;

  /** @param signal not aborted yet */
  constructor(origin: string, key: string | null, signal: AbortSignal) {
    this.#origin = origin;
    this.#key = key;
    this.#signal = signal;
    this.#onAbort = new AbortListener(signal, this);
  }

  get reply(): Promise<Reply> {
    return this.#reply.promise;
  }

  abort(): void {
    const reason = new Error('the call was aborted');
    this.#controller?.abort(reason);
    this.finish(reason);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#signal.aborted) controller.abort(new Error('the call was aborted'));
  }

  onResponseStart(
    controller: Controller,
    status: number,
    _headers: unknown,
    statusText?: string,
  ): void {
    // 1xx heads announce nothing that an agent needs.
    if (status < 200) return;
    const raw = Array.isArray(controller.rawHeaders) ? controller.rawHeaders : [];
    const headers = replyHeaders(raw, this.#key);
    const head: Head =
      statusText === undefined || statusText === ''
        ? { status, headers }
        : { status, headers, statusText };
    this.#body = new ReplyBody(controller, KeyMask.of(this.#key, status));
    this.#reply.resolve({ head, body: this.#body });
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    this.#body?.push(chunk);
  }

  onResponseEnd(): void {
    this.finish(null);
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.finish(error);
  }

  finish(error: Error | null): void {
    this.#onAbort.release();
    if (error === null) this.#body?.end();
    else if (this.#body === null)
      this.#reply.reject(sendFailure(error, this.#origin, this.#key, this.#signal));
    else this.#body.fail(error);
  }
}
