const BAR_CELLS = 40;

export interface Progress {
  readonly done: number;
  readonly total: number;
  /** What is counted, as `entries`. */
  readonly unit: string;
}

/** `[########....] 20 of 100 entries`; a total of 0 is all of it. */
export function progressLine({ done, total, unit }: Progress): string {
  const share = total <= 0 ? 1 : Math.min(1, Math.max(0, done / total));
  const bar = '#'.repeat(Math.floor(share * BAR_CELLS)).padEnd(BAR_CELLS, '.');
  return `[${bar}] ${done} of ${total} ${unit}`;
}

const CLEAR_LINE = '\r\u001b[K';

/** One line that is written over itself, on a terminal only; `clear` takes it away before anything else is printed. */
export class ProgressLine {
  private shown = '';

  constructor(private readonly write: ((text: string) => void) | null) {}

  show(progress: Progress): void {
    const line = progressLine(progress);
    if (this.write === null || line === this.shown) return;
    this.shown = line;
    this.write(`\r${line}`);
  }

  clear(): void {
    if (this.write === null || this.shown === '') return;
    this.shown = '';
    this.write(CLEAR_LINE);
  }
}
