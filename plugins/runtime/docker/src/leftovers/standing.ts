/** A box that stands: its engine, its containers and its compose projects. */
export interface Standing {
  readonly address: string;
  containerIds(): readonly string[];
  projects(): readonly string[];
}
