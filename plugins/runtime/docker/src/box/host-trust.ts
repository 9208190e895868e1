import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { proxyVariables } from '../network/proxy-variables.ts';

/** Where certificates are put in a box. */
export const certificatesPath = '/opt/vf/certificates.pem';

type Environment = Readonly<Record<string, string | undefined>>;

const bundles = ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'];
const systemBundle = '/etc/ssl/certs/ca-certificates.crt';

/** The certificates that this machine trusts, its own and its company's; null when there is no such file. */
export async function hostCertificates(host: Environment = process.env): Promise<Buffer | null> {
  const named = bundles.flatMap((name) => host[name] ?? []);
  const files = [...new Set([...named, systemBundle])].filter((path) => existsSync(path));
  if (files.length === 0) return null;
  const contents = await Promise.all(files.map((path) => readFile(path)));
  return Buffer.concat(contents.flatMap((content) => [content, Buffer.from('\n')]));
}

/** Makes programs in a box use the certificates. */
export function certificateVariables(): Record<string, string> {
  const names = [...bundles, 'GIT_SSL_CAINFO', 'PIP_CERT'];
  return Object.fromEntries(names.map((name) => [name, certificatesPath]));
}

/**
 * The proxies of this machine as a box is told of them; one with a password is not told.
 * @param reach the URL under which a box reaches one of ours
 */
export async function hostProxies(
  reach: (url: string) => Promise<string>,
  host: Environment = process.env,
): Promise<Record<string, string>> {
  const ours =
    host['https_proxy'] ?? host['HTTPS_PROXY'] ?? host['http_proxy'] ?? host['HTTP_PROXY'];
  if (ours === undefined || !URL.canParse(ours) || new URL(ours).password !== '') return {};
  const isLocal = /^(?:127\.|localhost$|\[::1\]$)/.test(new URL(ours).hostname);
  const url = isLocal ? await reach(ours) : ours;
  return proxyVariables(url, host['no_proxy'] ?? host['NO_PROXY']);
}
