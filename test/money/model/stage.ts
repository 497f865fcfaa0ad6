import type fc from 'fast-check';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Where workers wait before every step that leaves the process, until the scheduler lets one of them go on. Only one such
 * step is under way at a time, so the order of all of them, and with it the whole run, follows from the seed.
 */
export class Stage {
  #underWay = 0;
  #ended: () => void = () => undefined;

  constructor(private readonly scheduler: fc.Scheduler) {}

  /** Waits for its turn, then does it. `what` names it in the report of a failure. */
  async pass<Value>(what: string, step: () => Promise<Value>): Promise<Value> {
    await this.scheduler.schedule(Promise.resolve(), what);
    this.#underWay += 1;
    try {
      return await step();
    } finally {
      this.#underWay -= 1;
      this.#ended();
    }
  }

  /** A function whose every call waits for its turn. */
  passing<Arguments extends unknown[], Value>(
    what: string,
    call: (...given: Arguments) => Promise<Value>,
  ): (...given: Arguments) => Promise<Value> {
    return (...given) => this.pass(what, () => call(...given));
  }

  /** Lets the workers go on, one step at a time, until none has another. */
  async run(workers: readonly Promise<void>[]): Promise<void> {
    const all = Promise.all(workers);
    // What fails is told when everybody has come to rest.
    all.catch(() => undefined);
    await this.rest();
    while (this.scheduler.count() > 0) {
      await this.scheduler.waitNext(1);
      await this.rest();
    }
    await all;
  }

  /** Between two of their steps workers only compute: after one turn of the event loop each waits here or has ended. */
  private async rest(): Promise<void> {
    await turn();
    while (this.#underWay > 0) {
      await new Promise<void>((resolve) => (this.#ended = resolve));
      await turn();
    }
  }
}
