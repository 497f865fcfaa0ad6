/** Lets those who share a name work one after the other, within this process. It keeps nothing of who is done. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  async take<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(name);
    const mine = (before ?? Promise.resolve()).then(work, work);
    this.#last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    }
  }
}
