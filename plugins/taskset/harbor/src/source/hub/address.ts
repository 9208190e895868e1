/** Where a hub answers, and the key of anonymous readers. */
export interface HubAddress {
  readonly url: string;
  readonly key: string;
}

/**
 * The hub of packages (`org/name`) and the older registry (`name`). The addresses and the keys, which are public, are
 * those in harbor 0.25; both programs take others from the same variables.
 */
export function hubAddresses(url: string | undefined): {
  readonly packages: HubAddress;
  readonly datasets: HubAddress;
} {
  const { HARBOR_SUPABASE_URL: other, HARBOR_SUPABASE_PUBLISHABLE_KEY: otherKey } = process.env;
  const at = (usual: string, key: string): HubAddress => ({
    url: (url ?? other ?? usual).replace(/\/+$/, ''),
    key: otherKey ?? key,
  });
  return {
    packages: at(
      'https://ofhuhcpkvzjlejydnvyd.supabase.co',
      'sb_publishable_Z-vuQbpvpG-PStjbh4yE0Q_e-d3MTIH',
    ),
    datasets: at(
      'https://hlqxxzsirfrgeqasvaps.supabase.co',
      'sb_publishable_RGMKhIM1NKzZ8bL3qCVNuA_5TsD6rbF',
    ),
  };
}
