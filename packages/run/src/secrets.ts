/** Variables whose values are secret: looked up by name, and masked wherever text leaves the process. */
export class Secrets {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #names = new Map<string, string>();
  /** Every spelling of every secret, the longest first; null when one has been added. */
  #forms: readonly (readonly [value: string, name: string])[] | null = null;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** The value of a variable; from now on it is masked. undefined when it is not set or empty. */
  take(name: string): string | undefined {
    const value = this.#env[name];
    if (value === undefined || value === '') return undefined;
    this.#names.set(value, name);
    this.#forms = null;
    return value;
  }

  isSet(name: string): boolean {
    return (this.#env[name] ?? '') !== '';
  }

  /** `text` with each secret seen so far as `«NAME»`. */
  mask(text: string): string {
    return this.maskCounted(text).text;
  }

  /** As `mask`, and how many values were hidden. A secret inside JSON inside the text is one too. */
  maskCounted(text: string): { readonly text: string; readonly count: number } {
    let masked = text;
    let count = 0;
    for (const [value, name] of this.#longestFirst()) {
      if (!masked.includes(value)) continue;
      const parts = masked.split(value);
      count += parts.length - 1;
      masked = parts.join(`«${name}»`);
    }
    return { text: masked, count };
  }

  /** A secret that is the start of another must not leave that one's end readable. */
  #longestFirst(): readonly (readonly [value: string, name: string])[] {
    this.#forms ??= [...this.#names]
      .filter(([value]) => value.length >= shortestSecret)
      .flatMap(([value, name]) => {
        const escaped = JSON.stringify(value).slice(1, -1);
        return [value, ...(escaped === value ? [] : [escaped])].map(
          (form) => [form, name] as const,
        );
      })
      .toSorted(([a], [b]) => b.length - a.length);
    return this.#forms;
  }
}

/** Masking shorter values would garble ordinary words and numbers. */
const shortestSecret = 6;
