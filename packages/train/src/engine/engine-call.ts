import type { Head } from '@vf/core';
import { AbortListener } from '@vf/core/life';
import type { Abortable } from '@vf/core/life';
import type { Dispatcher } from 'undici';
import { Arrivals } from './arrivals.ts';

type Controller = Dispatcher.DispatchController;

/** One call to an engine on its way: undici's handler. */
export class EngineCall implements Dispatcher.DispatchHandler, Abortable {
  readonly #onAbort: AbortListener;
  readonly #head = Promise.withResolvers<Head>();
  readonly body: Arrivals;
  #controller: Controller | null = null;
  #aborted: Error | null = null;

  /** @param signal not aborted yet */
  constructor(signal: AbortSignal) {
    this.body = new Arrivals({ abort: (reason) => this.abort(reason) });
    // A call that fails before it is sent has nobody who waits for its head.
    this.#head.promise.catch(() => undefined);
    this.#onAbort = new AbortListener(signal, this);
  }

  /** Rejects when the call ends before its head. */
  get head(): Promise<Head> {
    return this.#head.promise;
  }

  abort(reason: unknown): void {
    this.#aborted ??= reason instanceof Error ? reason : new Error('the call was aborted');
    this.#controller?.abort(this.#aborted);
    this.finish(this.#aborted);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#aborted !== null) controller.abort(this.#aborted);
  }

  onResponseStart(
    _controller: Controller,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // 1xx heads announce nothing.
    if (status < 200) return;
    const raw = Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [name, value] : [],
    );
    this.#head.resolve({ status, headers: raw });
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    this.body.push(chunk);
  }

  onResponseEnd(): void {
    this.finish(null);
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.finish(error);
  }

  /** @param failure null: it is answered whole */
  finish(failure: Error | null): void {
    this.#onAbort.release();
    if (failure !== null) this.#head.reject(failure);
    this.body.finish(failure);
  }
}
