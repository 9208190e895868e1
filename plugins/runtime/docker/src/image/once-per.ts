/** Runs work once per key in this process; all who ask share its outcome, success and failure alike. */
export function oncePer<Value>(): (key: string, work: () => Promise<Value>) => Promise<Value> {
  const outcomes = new Map<string, Promise<Value>>();
  return (key, work) => {
    let outcome = outcomes.get(key);
    if (outcome === undefined) {
      outcome = work();
      outcomes.set(key, outcome);
    }
    return outcome;
  };
}
