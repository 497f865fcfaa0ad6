const WIDTH = 30;
const REDRAW_MS = 100;

/** Draws how much of a long file was read, on a terminal, over one line that is wiped at the end. */
export class ProgressBar {
  #drawnAtMs = -Infinity;

  /** `total` null, or another stream than a terminal: nothing is drawn. */
  constructor(
    private readonly stream: NodeJS.WriteStream,
    private readonly total: number | null,
  ) {}

  show(done: number): void {
    if (this.total === null || this.total === 0 || !this.stream.isTTY) return;
    const nowMs = performance.now();
    if (nowMs - this.#drawnAtMs < REDRAW_MS) return;
    this.#drawnAtMs = nowMs;
    const share = Math.min(1, done / this.total);
    const filled = Math.round(share * WIDTH);
    const bar = `${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}`;
    this.stream.write(`\rverifying [${bar}] ${Math.floor(share * 100)} %`);
  }

  clear(): void {
    if (this.#drawnAtMs > -Infinity) this.stream.write(`\r${' '.repeat(WIDTH + 20)}\r`);
  }
}
