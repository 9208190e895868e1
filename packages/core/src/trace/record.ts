/**
 * One line of `traces.jsonl` as parsed JSON: snake_case, a superset of the verifiers v1 episode record, so that
 * Python consumers read it as it is. `decodeEpisode` gives the typed form.
 */
export type EpisodeRecord = Readonly<Record<string, unknown>>;
