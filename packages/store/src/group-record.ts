/** Scores of all attempts at one task together; one line of `groups.jsonl`. */
export interface GroupRecord {
  readonly task: string;
  /** Attempt numbers in the order of the scores. */
  readonly attempts: readonly number[];
  readonly rewards: Readonly<
    Record<
      string,
      {
        readonly weight: number;
        readonly scores: readonly (number | null)[];
        readonly error?: string;
        /** Where the author's own code threw, `file:line:column`. */
        readonly at?: string;
      }
    >
  >;
}
