import type { Delta } from '@vf/core';

/** Reads a reply while it is sampled, and says what its finished message begins with, whatever is sampled next. */
export interface LiveReply {
  /** @param part whole characters; a control token stands between two texts that are not one */
  text(part: string): void;
  control(name: string): void;
  /** Text and reasoning that became certain since the last time. */
  take(): readonly Delta[];
}
