import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Download } from '../../client/index.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { type ExportSummary, PartialFile, type Place } from '../partial-file.js';
import type { Session } from '../session.js';
import type { Shelf } from '../shelf.js';
import { printFields } from '../table.js';
import { parseWord, reading } from '../values.js';
import type { Command } from 'commander';

interface ExportOptions {
  readonly out: string;
  readonly form?: 'jsonl' | 'json';
}

/** So often in a row it goes on by itself although no entry has come. */
const TRIES_MAX = 3;
const PAUSE_MS = 500;

export function addLedgerExport(ledger: Command, { online }: Shelf): void {
  ledger
    .command('export')
    .description('write the whole ledger to a file that anybody can check; for administrators')
    .requiredOption('--out <path>', 'the new file; what is not whole yet stands beside it as .part')
    .option(
      '--form <form>',
      'jsonl, a line for every entry, or json, one document; jsonl when left out',
      reading(parseWord(['jsonl', 'json'])),
    )
    .action(online<ExportOptions>((session, { options }) => new ExportRun(session, options).run()));
}

/** One run of the command: begins an export, or goes on with the one that an earlier run did not finish. */
class ExportRun {
  private part: PartialFile | null = null;

  constructor(
    private readonly session: Session,
    private readonly options: ExportOptions,
  ) {}

  async run(): Promise<ExitCode> {
    const { out } = this.options;
    if (existsSync(out)) {
      this.session.note(`error: --out ${out} is there already: name a file that is not.`);
      return EXIT.usage;
    }
    try {
      this.part = PartialFile.found(out);
      if (this.part !== null) this.session.note(`Going on with ${this.part.path}.`);
      return await this.fetchAll();
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error;
      this.session.note(`error: --out ${out} cannot be written (${String(error.code)}).`);
      return EXIT.usage;
    } finally {
      this.session.progress.clear();
    }
  }

  private async fetchAll(): Promise<ExitCode> {
    let [reachedSeq, triesInVain] = [-1, 0];
    for (;;) {
      const place = this.part?.cutToWholeLine() ?? { at: 'start' };
      if (this.part !== null && place.at === 'end') return this.finish(this.part, place.summary);
      if (place.at === 'row' && place.seq > reachedSeq) [reachedSeq, triesInVain] = [place.seq, 0];
      const answer = await this.ask(place);
      const broken = answer.ok ? await this.take(answer, place) : null;
      triesInVain += 1;
      if (this.isFinal(answer) || triesInVain > TRIES_MAX) return this.giveUp(answer, broken);
      if (!answer.ok || broken !== null) await sleep(PAUSE_MS * triesInVain);
    }
  }

  private ask(place: Place): Promise<Download> {
    const { form } = this.options;
    const query =
      this.part === null
        ? { form }
        : {
            form,
            export_id: this.part.exportId,
            after_seq: place.at === 'row' ? String(place.seq) : undefined,
          };
    return this.session.client.download('/v1/ledger/export', { query });
  }

  /** Writes what comes; answers with why it broke off, null = it came to its end. */
  private async take(
    answer: Extract<Download, { ok: true }>,
    place: Place,
  ): Promise<string | null> {
    const exportId = answer.headers.get('arbiter-export-id') ?? '';
    const lastSeq = Number(answer.headers.get('arbiter-export-head'));
    let entryCount = place.at === 'row' ? place.seq + 1 : 0;
    try {
      for await (const chunk of answer.chunks) {
        // WHY in here: leaving the loop ends the answer, which would be waited for otherwise.
        const part = this.partOf(exportId);
        if (typeof part === 'string') return part;
        part.append(chunk);
        entryCount += linesIn(chunk);
        const done = Math.min(entryCount, lastSeq + 1);
        this.session.progress.show({ done, total: lastSeq + 1, unit: 'entries' });
      }
      const part = this.partOf(exportId);
      return typeof part === 'string' ? part : null;
    } catch (error) {
      // A full disk is no broken connection.
      if (error instanceof Error && 'syscall' in error && isOfFile(error.syscall)) throw error;
      return textOf(error);
    }
  }

  /** Where the bytes of an answer belong; a text says why nowhere. */
  private partOf(exportId: string): PartialFile | string {
    if (!/^exp_[0-9a-f]{32}$/.test(exportId)) return 'the answer names no export';
    this.part ??= PartialFile.made(this.options.out, exportId);
    return this.part.exportId === exportId ? this.part : 'the answer is of another export';
  }

  /** Whether it makes no sense to ask again: the service said why, or nothing was begun yet. */
  private isFinal(answer: Download): boolean {
    if (answer.ok) return false;
    const { kind } = answer.failure;
    return this.part === null || (kind !== 'unreachable' && kind !== 'timeout');
  }

  private giveUp(answer: Download, broken: string | null): ExitCode {
    const code = answer.ok ? EXIT.unreachable : this.session.fail(answer.failure);
    if (broken !== null) this.session.note(`The connection breaks again and again (${broken}).`);
    if (this.part === null) return code;
    this.part.close();
    this.session.note(
      `What has come is in ${this.part.path}: the same command goes on with it; take it away to begin a new export.`,
    );
    return code;
  }

  private finish(part: PartialFile, summary: ExportSummary | null): ExitCode {
    if (summary === null) {
      part.close();
      this.session.note(`error: what has come is no export: ${part.path}`);
      return EXIT.unreachable;
    }
    const { counts, head } = summary;
    part.finish();
    const { out: file } = this.options;
    const document = { file, export_id: part.exportId, counts, head };
    this.session.show(
      document,
      printFields([
        ['file', file],
        ['export', part.exportId],
        ['entries', `${head.seq + 1}, ${counts.sealed} of them sealed`],
        ['head', head.hash],
      ]),
    );
    return EXIT.done;
  }
}

function linesIn(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) count += 1;
  return count;
}

const isOfFile = (syscall: unknown): boolean => syscall === 'open' || syscall === 'write';
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
