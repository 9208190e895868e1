/** Host variables that say how this machine works, none of which holds a secret. */
const shared = new Set([
  'PATH',
  'LANG',
  'LANGUAGE',
  'TERM',
  'TZ',
  'USER',
  'LOGNAME',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'PIP_CERT',
  'NIX_SSL_CERT_FILE',
]);

const proxies = /^(?:https?|all)_proxy$/i;
const loopback = '127.0.0.1,localhost,::1';

type Environment = Readonly<Record<string, string | undefined>>;

/** The part of the host's environment that programs in a box may see. Keys of providers are never in it. */
export function hostEnvironment(host: Environment = process.env): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    if (value !== undefined && isShared(name, value)) kept[name] = value;
  }
  if (Object.keys(kept).some((name) => proxies.test(name))) bypassLoopback(kept, host);
  return kept;
}

function isShared(name: string, value: string): boolean {
  if (shared.has(name) || name.startsWith('LC_')) return true;
  return proxies.test(name) && !hasPassword(value);
}

function hasPassword(proxy: string): boolean {
  return proxy.includes('@');
}

/** The model's endpoint is on this machine. */
function bypassLoopback(kept: Record<string, string>, host: Environment): void {
  for (const name of ['no_proxy', 'NO_PROXY']) {
    kept[name] = [host[name] ?? host['NO_PROXY'] ?? host['no_proxy'], loopback]
      .filter(Boolean)
      .join(',');
  }
}
