import { VfError } from '@vf/core/errors';

/** The forms in which an engine is named. */
export const addressForms =
  'unix:///path/of/docker.sock, tcp://HOST:PORT, https://HOST:PORT or ssh://[USER@]HOST';

/** Does it name an engine, as DOCKER_HOST does? */
export function isAddress(address: string): boolean {
  if (address.startsWith('unix:')) return /^unix:\/\/\/[^/]/.test(address);
  const url = URL.parse(address);
  if (url === null || url.hostname === '') return false;
  return ['tcp:', 'http:', 'https:', 'ssh:'].includes(url.protocol);
}

/** @param from who gave it: `DOCKER_HOST` @throws VfError config/invalid with the forms that there are */
export function requireAddress(address: string, from: string): void {
  if (isAddress(address)) return;
  throw new VfError('config/invalid', `${from} names no Docker engine: ${address}`, {
    hint: `${from}=${likely(address)}; the forms are ${addressForms}`,
    retryable: false,
  });
}

function likely(address: string): string {
  const guesses = address.includes('://') ? [] : [`unix://${address}`, `tcp://${address}`];
  return guesses.find(isAddress) ?? 'unix:///var/run/docker.sock';
}
