const anyVersion = /\/v\d[a-z0-9]*(?=\/|$)/;
const leadingVersion = /^\/v\d[a-z0-9]*(?=\/)/;

/**
 * The provider's path for a matched one. People give a base URL with or without its version (`/v1`), and so do
 * agents: the base's own version wins, then the path's, and `/v1` stands where neither has one.
 * @param basePath path of the base URL, no slash at its end
 * @param path as the route matched it, query included
 */
export function joinPath(basePath: string, path: string): string {
  if (anyVersion.test(basePath)) return `${basePath}${path.replace(leadingVersion, '')}`;
  return `${basePath}${leadingVersion.test(path) ? '' : '/v1'}${path}`;
}
