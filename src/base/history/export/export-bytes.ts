import {
  type ChainEntry,
  exportAnchorLine,
  ExportDigest,
  exportDocumentEnd,
  exportDocumentStart,
  exportHeaderLine,
  exportRowLine,
  type ExportTrailer,
  exportTrailerLine,
} from '../../../core/chain/index.js';
import type { TenantId } from '../../../core/kernel/index.js';
import type { Queryable } from '../../platform/index.js';
import type { ExportForm } from './exports.ledger.js';
import {
  PAGE_ROWS_MAX,
  readRowPage,
  readSealingChanges,
  type RowRange,
} from './exported-rows.store.js';
import type { ExportFront } from './fronts.store.js';
import { sealingStory } from './sealing-spans.js';

/** An export whose file is decided: everything in it, to the last byte. */
export interface FixedExport extends ExportFront {
  readonly tenantId: TenantId;
  readonly exportId: string;
  readonly form: ExportForm;
}

/** `afterSeq` null = from the file's first byte, else behind the row of that entry; up to the row of `throughSeq`. */
export interface ExportPart {
  readonly afterSeq: number | null;
  readonly throughSeq: number;
}

/**
 * The bytes of a part of the file, a page of rows at a time; the part that holds the last row holds the trailer too. Parts
 * behind each other are the whole file. What is not asked for is not read: whoever stops reading ends it.
 */
export async function* exportBytes(
  database: Queryable,
  fixed: FixedExport,
  { afterSeq, throughSeq }: ExportPart,
): AsyncGenerator<Buffer, void, undefined> {
  const form = FORMS[fixed.form];
  const { tenantId, header } = fixed;
  const digest = afterSeq === null ? startedDigest(fixed) : null;
  if (afterSeq === null) yield Buffer.from(form.start(fixed));
  let isFirst = afterSeq === null;
  const range = { tenantId, afterSeq: afterSeq ?? -1, throughSeq };
  for await (const rows of rowPages(database, range)) {
    let text = '';
    for (const row of rows) {
      const line = exportRowLine(row);
      if (row.kid === null) digest?.add(line);
      text += form.row(line, isFirst);
      isFirst = false;
    }
    yield Buffer.from(text);
  }
  if (throughSeq < header.head.seq) return;
  // Whoever begins in the middle has not seen what the digest goes over.
  const whole = digest ?? (await digestOf(database, fixed));
  const { head, counts } = header;
  yield Buffer.from(form.end({ head, counts, digest: whole.hex() }));
}

/** Every row on a line of its own in both forms, so that a file that was cut off is continued behind its last whole line. */
const FORMS: Readonly<
  Record<
    ExportForm,
    {
      readonly start: (front: ExportFront) => string;
      readonly row: (line: string, isFirst: boolean) => string;
      readonly end: (trailer: ExportTrailer) => string;
    }
  >
> = {
  jsonl: {
    start: ({ header, anchors }) =>
      [exportHeaderLine(header), ...anchors.map(exportAnchorLine)]
        .map((line) => `${line}\n`)
        .join(''),
    row: (line) => `${line}\n`,
    end: (trailer) => `${exportTrailerLine(trailer)}\n`,
  },
  json: {
    start: ({ header, anchors }) => `${exportDocumentStart(header, anchors)}\n`,
    row: (line, isFirst) => (isFirst ? `${line}\n` : `,${line}\n`),
    end: (trailer) => `${exportDocumentEnd(trailer)}\n`,
  },
};

function startedDigest({ header, anchors }: ExportFront): ExportDigest {
  const digest = new ExportDigest();
  digest.add(exportHeaderLine(header));
  for (const anchor of anchors) digest.add(exportAnchorLine(anchor));
  return digest;
}

/** Reads the unsealed rows again, and only them. */
async function digestOf(database: Queryable, fixed: FixedExport): Promise<ExportDigest> {
  const digest = startedDigest(fixed);
  const { tenantId, header } = fixed;
  const changes = await readSealingChanges(database, tenantId, header.head.seq);
  for (const { firstSeq, lastSeq, kid } of sealingStory(changes, header.head.seq).spans) {
    if (kid !== null) continue;
    const range = { tenantId, afterSeq: firstSeq - 1, throughSeq: lastSeq };
    for await (const rows of rowPages(database, range))
      for (const row of rows) if (row.kid === null) digest.add(exportRowLine(row));
  }
  return digest;
}

/**
 * WHY windows: a database without statistics, as after a restore, sorts every row up to the end for each page that is
 * only limited (seen: a minute for what takes a second). A window without rows is passed over: the ledger is damaged there.
 */
async function* rowPages(
  database: Queryable,
  range: RowRange,
): AsyncGenerator<readonly ChainEntry[], void, undefined> {
  let { afterSeq } = range;
  while (afterSeq < range.throughSeq) {
    const throughSeq = Math.min(range.throughSeq, afterSeq + PAGE_ROWS_MAX);
    const rows = await readRowPage(database, { ...range, afterSeq, throughSeq });
    const last = rows.at(-1);
    if (last !== undefined) yield rows;
    afterSeq = last?.seq ?? throughSeq;
  }
}
