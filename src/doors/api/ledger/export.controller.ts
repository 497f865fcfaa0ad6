import { Controller, Inject } from '@nestjs/common';
import {
  type ExportForm,
  type FixedExport,
  LEDGER_EXPORTS,
  type LedgerExports,
} from '../../../base/history/index.js';
import {
  answerWith,
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { err, mapOk, ok, type Problem, problem, type Result } from '../../../core/kernel/index.js';
import { commandContext } from '../command-context.js';
import { exportLedger, type ExportQuery, MEDIA_TYPES } from './export.contract.js';

const FORM_DEFAULT: ExportForm = 'jsonl';

@Controller()
export class ExportController {
  constructor(@Inject(LEDGER_EXPORTS) private readonly exports: LedgerExports) {}

  @Handles(exportLedger)
  async export(@Input() { query }: InputOf<typeof exportLedger>, @Caller() caller: CallerContext) {
    const opened = await this.open(query, caller);
    if (!opened.ok) return opened;
    const fixed = opened.value;
    const { after_seq: afterSeq = null, limit = null } = query;
    const headSeq = fixed.header.head.seq;
    if (afterSeq !== null && afterSeq > headSeq) return err(behindTheEnd(headSeq));
    const throughSeq = limit === null ? headSeq : Math.min(headSeq, (afterSeq ?? -1) + limit);
    const part = { afterSeq, throughSeq };
    return mapOk(this.exports.read(fixed, part), (bytes) =>
      answerWith(bytes, { headers: headersOf(fixed, throughSeq) }),
    );
  }

  /** What is wrong with the query is said before an entry is written. */
  private async open(
    { form, export_id: exportId, after_seq: afterSeq }: ExportQuery,
    caller: CallerContext,
  ): Promise<Result<FixedExport, Problem>> {
    if (exportId === undefined) {
      if (afterSeq !== undefined) return err(AFTER_WHAT);
      return this.exports.begin(commandContext(caller), form ?? FORM_DEFAULT);
    }
    const found = await this.exports.find(caller.principal.tenantId, exportId);
    if (!found.ok) return found;
    return form === undefined || form === found.value.form
      ? ok(found.value)
      : err(otherForm(found.value.form));
  }
}

function headersOf(fixed: FixedExport, throughSeq: number): Readonly<Record<string, string>> {
  const { exportId, tenantId, form, header } = fixed;
  const { seq } = header.head;
  return {
    'content-type': MEDIA_TYPES[form],
    'content-disposition': `attachment; filename="ledger-${tenantId}-${seq}.${form}"`,
    'arbiter-export-id': exportId,
    'arbiter-export-head': String(seq),
    ...(throughSeq < seq ? { 'arbiter-export-next': String(throughSeq) } : {}),
  };
}

const AFTER_WHAT = problem(
  'validation_failed',
  'after_seq goes on with an export that was begun.',
  {
    fix: 'Give export_id too, or leave after_seq out to begin a new export.',
    field: '?after_seq',
  },
);

const behindTheEnd = (headSeq: number): Problem =>
  problem('validation_failed', `This export ends with entry ${headSeq}.`, {
    fix: `Give a sequence number from 0 to ${headSeq}.`,
    field: '?after_seq',
  });

const otherForm = (form: ExportForm): Problem =>
  problem('validation_failed', `This export was begun in the form ${form}.`, {
    fix: 'Leave form out when you go on with an export.',
    field: '?form',
  });
