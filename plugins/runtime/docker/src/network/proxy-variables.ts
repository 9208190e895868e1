const loopback = '127.0.0.1,localhost,::1';

/** Tells programs of a proxy in all the spellings that they look for; the loopback is never sent through it. */
export function proxyVariables(url: string, bypass = ''): Record<string, string> {
  const noProxy = [bypass, loopback].filter(Boolean).join(',');
  return {
    http_proxy: url,
    https_proxy: url,
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    no_proxy: noProxy,
    NO_PROXY: noProxy,
    // Node reads them only when told to.
    NODE_USE_ENV_PROXY: '1',
  };
}
