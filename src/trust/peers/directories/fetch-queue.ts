/** Fetches under way at once, in this process. */
export const FETCHES_MAX = 8;
/** Fetches that wait for one of those, or for another of their host. */
export const FETCHES_WAITING_MAX = 64;

interface Waiting {
  readonly host: string;
  readonly start: () => void;
}

/** Runs fetches in the order in which they came, at most {@link FETCHES_MAX} at once and one of a host. */
export class FetchQueue {
  readonly #hosts = new Set<string>();
  readonly #waiting: Waiting[] = [];

  get isFull(): boolean {
    return this.#waiting.length >= FETCHES_WAITING_MAX;
  }

  /** `work` never rejects. */
  async run<Value>(host: string, work: () => Promise<Value>): Promise<Value> {
    await new Promise<void>((start) => {
      this.#waiting.push({ host, start });
      this.#startNext();
    });
    try {
      return await work();
    } finally {
      this.#hosts.delete(host);
      this.#startNext();
    }
  }

  #startNext(): void {
    while (this.#hosts.size < FETCHES_MAX) {
      const index = this.#waiting.findIndex(({ host }) => !this.#hosts.has(host));
      const [next] = index < 0 ? [] : this.#waiting.splice(index, 1);
      if (next === undefined) return;
      this.#hosts.add(next.host);
      next.start();
    }
  }
}
