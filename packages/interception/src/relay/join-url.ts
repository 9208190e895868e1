const trailingVersion = /\/v\d[a-z0-9]*$/;
const leadingVersion = /^\/v\d[a-z0-9]*(?=\/)/;

/**
 * The provider's path for a matched one: people give a base URL with or without its version (`/v1`), agents send
 * paths with one. The base's own version wins; without one the path stays as it is.
 * @param basePath path of the base URL, no slash at its end
 * @param path as the route matched it, query included
 */
export function joinPath(basePath: string, path: string): string {
  const rest = trailingVersion.test(basePath) ? path.replace(leadingVersion, '') : path;
  return `${basePath}${rest}`;
}
