/**
 * What a pure function made of the texts it was given last, bounded in number and length: for texts that come back with every
 * request. Strangers choose the texts, so the oldest goes first and a long one is never kept.
 */
export class Remembered<Value> {
  readonly #values = new Map<string, Value>();

  constructor(private readonly bounds: { readonly texts: number; readonly characters: number }) {}

  get(text: string): Value | undefined {
    return this.#values.get(text);
  }

  /** Returns the value. */
  keep(text: string, value: Value): Value {
    if (text.length > this.bounds.characters) return value;
    this.#values.set(text, value);
    if (this.#values.size > this.bounds.texts) {
      const [oldest] = this.#values.keys();
      if (oldest !== undefined) this.#values.delete(oldest);
    }
    return value;
  }
}
