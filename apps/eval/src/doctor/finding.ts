/** What one look at the package has shown. */
export interface Finding {
  /** What was looked at: `pack`, `manifest`, `files`, `imports`, `install`, `load`, `play`. */
  readonly check: string;
  readonly state: 'ok' | 'problem';
  readonly message: string;
  /** What to change or to type. */
  readonly fix?: string;
}

export function ok(check: string, message: string): Finding {
  return { check, state: 'ok', message };
}

export function problem(check: string, message: string, fix?: string): Finding {
  return { check, state: 'problem', message, ...(fix === undefined ? {} : { fix }) };
}
