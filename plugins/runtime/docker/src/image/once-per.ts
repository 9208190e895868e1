/**
 * Runs work once per key in this process; all who ask share its outcome, success and failure alike.
 * @param isPassing failures that are forgotten, so that who asks later has it tried again
 */
export function oncePer<Value>(
  isPassing: (error: unknown) => boolean = () => false,
): (key: string, work: () => Promise<Value>) => Promise<Value> {
  const outcomes = new Map<string, Promise<Value>>();
  return (key, work) => {
    let outcome = outcomes.get(key);
    if (outcome === undefined) {
      outcome = work();
      outcomes.set(key, outcome);
      outcome.catch((error: unknown) => isPassing(error) && outcomes.delete(key));
    }
    return outcome;
  };
}
