import { setTimeout as sleep } from 'node:timers/promises';
import { VfError } from '@vf/core/errors';

const tries = 3;
const firstDelayMs = 500;
/** For the head of an answer; bodies may take longer. */
const answerMs = 30_000;

/**
 * An answer of a registry that is a success; servers that fail or cannot be reached are asked three times.
 * @throws VfError taskset/load_failed
 */
export async function fetched(
  url: string,
  init: Pick<RequestInit, 'method' | 'headers' | 'body'>,
  signal: AbortSignal,
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const answer = await once(url, init, signal);
    if (answer instanceof Response && answer.ok) return answer;
    const mayPass = !(answer instanceof Response) || answer.status === 429 || answer.status >= 500;
    if (!mayPass || attempt === tries) throw await refusal(url, answer);
    await sleep(firstDelayMs * 2 ** (attempt - 1), undefined, { signal });
  }
}

async function once(url: string, init: RequestInit, signal: AbortSignal): Promise<unknown> {
  const head = new AbortController();
  const timer = setTimeout(
    () => head.abort(new Error(`no answer in ${answerMs / 1000} s`)),
    answerMs,
  );
  try {
    return await fetch(url, { ...init, signal: AbortSignal.any([signal, head.signal]) });
  } catch (error) {
    signal.throwIfAborted();
    return error;
  } finally {
    clearTimeout(timer);
  }
}

const shownBody = 300;

async function refusal(url: string, answer: unknown): Promise<VfError> {
  const { origin, pathname } = new URL(url);
  const where = `${origin}${pathname}`;
  if (answer instanceof Response) {
    const body = (await answer.text().catch(() => '')).slice(0, shownBody).trim();
    const message = `${where} answers ${answer.status}${body === '' ? '' : `: ${body}`}`;
    return new VfError('taskset/load_failed', message, {
      status: answer.status,
      hint: 'check the name; tasks that are in a folder already: --taskset.path FOLDER',
    });
  }
  const cause = answer instanceof Error ? (answer.cause ?? answer) : answer;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new VfError('taskset/load_failed', `${where} cannot be reached: ${why}`, {
    hint: 'check the network; tasks that are in a folder already: --taskset.path FOLDER',
    cause: answer,
  });
}
