import {
  type ArbiterClient,
  type Failure,
  type ProblemRefusal,
  refusalOf,
  type Page,
  everyPage,
  type Answer,
} from '../client/index.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { refusalText } from './explain.js';
import { jsonText, printable } from './printable.js';
import type { ProgressLine } from './progress.js';
import { type Column, columnWidths, printFields, printRow, type Widths } from './table.js';

/** Where a command writes: answers to `out`, everything else to `note`. A line each. */
export interface Output {
  readonly out: (text: string) => void;
  readonly note: (text: string) => void;
}

export interface ListForm<Item> {
  readonly columns: readonly Column[];
  readonly row: (item: Item) => readonly string[];
  /** All pages, or only the first. */
  readonly all: boolean;
  /** How far a list of unknown length has come. */
  readonly onPage?: (page: Page<Item>) => void;
}

/** One run of one command: the service it talks to, and the form in which its answers are printed. */
export class Session {
  constructor(
    readonly client: ArbiterClient,
    private readonly parts: Output & {
      readonly baseUrl: string;
      readonly json: boolean;
      readonly progress: ProgressLine;
    },
  ) {}

  get progress(): ProgressLine {
    return this.parts.progress;
  }

  /** One answer: the document as it is with --json, else its text for people. */
  show(document: unknown, text: string): void {
    this.progress.clear();
    this.parts.out(this.parts.json ? jsonText(document, 2) : text);
  }

  note(text: string): void {
    this.progress.clear();
    this.parts.note(text);
  }

  /** A page of this service, absolute: it prints them relative when it does not know its public address. */
  pageUrl(page: string): string {
    return URL.canParse(page) ? page : `${this.parts.baseUrl}${page}`;
  }

  /** Shows the answer, or why there is none. */
  finish<Value>(
    answer: Answer<Value>,
    form: { readonly text: (value: Value) => string; readonly exit?: (value: Value) => ExitCode },
  ): ExitCode {
    if (!answer.ok) return this.fail(answer.failure);
    this.show(answer.value, form.text(answer.value));
    return form.exit?.(answer.value) ?? EXIT.done;
  }

  /** A list: a table for people, one JSON document a line with --json. */
  async list<Item>(
    read: (cursor: string | undefined) => Promise<Answer<Page<Item>>>,
    { columns, row, all, onPage }: ListForm<Item>,
  ): Promise<ExitCode> {
    let widths: Widths | undefined;
    for await (const answer of everyPage(read)) {
      this.progress.clear();
      if (!answer.ok) return this.fail(answer.failure);
      const { items, next_cursor: next } = answer.value;
      if (this.parts.json) for (const item of items) this.parts.out(jsonText(item));
      else {
        const rows = items.map(row);
        const titles = columns.map(({ title }) => title);
        const lines = widths === undefined ? [titles, ...rows] : rows;
        const wide = columnWidths(columns, rows, widths);
        for (const cells of lines) this.parts.out(printRow(columns, cells, wide));
        widths = wide;
      }
      if (!all) {
        if (next !== null) this.note(`There is more: --cursor ${printable(next)}, or --all.`);
        return EXIT.done;
      }
      onPage?.(answer.value);
    }
    this.progress.clear();
    return EXIT.done;
  }

  /** Why there is no answer: a problem is a document too, whatever else goes wrong is a line of text. */
  fail(failure: Failure): ExitCode {
    this.progress.clear();
    if (failure.kind === 'problem') {
      const { problem } = failure;
      const refusal = refusalOf(problem);
      if (refusal !== null) {
        // Where an allow was needed, a refusal comes as a problem; it is the answer all the same.
        this.show(problem, this.refusedText(refusal));
        return EXIT.no;
      }
      if (this.parts.json) this.parts.out(jsonText(problem, 2));
      else this.note(problemText(problem));
      if (problem.code === 'outcome_unknown') this.noteKey(failure);
      return EXIT.problem;
    }
    if (failure.kind === 'unsendable') {
      this.note(`Nothing was sent: ${failure.detail}`);
      return EXIT.usage;
    }
    const { baseUrl } = this.parts;
    this.note(
      failure.kind === 'unreadable'
        ? `${baseUrl} does not answer as the arbiter: ${printable(failure.detail)}`
        : `${baseUrl} gives no answer (${printable(failure.detail)}): is the service running, and is --url right?`,
    );
    this.noteKey(failure);
    return EXIT.unreachable;
  }

  private refusedText(refusal: ProblemRefusal): string {
    return [
      printFields([
        ['refused by', refusal.failing_rule],
        ['reason', refusal.reason],
        ['decision', refusal.decision_id],
      ]),
      refusalText(refusal, (page) => this.pageUrl(page)),
    ].join('\n\n');
  }

  private noteKey({ idempotencyKey }: Failure): void {
    if (idempotencyKey === null) return;
    this.note(
      `It may have been done. The same command with --idempotency-key ${printable(idempotencyKey)} does it once at most and says what became of it.`,
    );
  }
}

function problemText(problem: Extract<Failure, { kind: 'problem' }>['problem']): string {
  const { status, code, field, detail, fix, request_id: requestId, errors = [] } = problem;
  return [
    `${status} ${code}: ${detail}`,
    ...(field === null || field === undefined ? [] : [`field: ${field}`]),
    ...errors.slice(1).map((each) => `  ${each.field}: ${each.detail}`),
    `fix: ${fix}`,
    `request: ${requestId}`,
  ]
    .map(printable)
    .join('\n');
}
