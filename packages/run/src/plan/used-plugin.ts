/** A plugin as it was resolved. */
export interface UsedPlugin {
  readonly kind: string;
  readonly id: string;
  /** null for one given as a path. */
  readonly package: string | null;
  readonly version: string | null;
}
