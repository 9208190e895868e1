/** Variables whose values are secret: looked up by name, and masked wherever text leaves the process. */
export class Secrets {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #names = new Map<string, string>();

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** The value of a variable; from now on it is masked. undefined when it is not set or empty. */
  take(name: string): string | undefined {
    const value = this.#env[name];
    if (value === undefined || value === '') return undefined;
    this.#names.set(value, name);
    return value;
  }

  isSet(name: string): boolean {
    return (this.#env[name] ?? '') !== '';
  }

  /** `text` with each secret seen so far as `«NAME»`. */
  mask(text: string): string {
    let masked = text;
    for (const [value, name] of this.#names)
      if (value.length >= shortestSecret) masked = masked.replaceAll(value, `«${name}»`);
    return masked;
  }
}

/** Masking shorter values would garble ordinary words and numbers. */
const shortestSecret = 6;
