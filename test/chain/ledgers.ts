import {
  deriveLedgerKey,
  entryBodyText,
  entryLink,
  entryMac,
  GENESIS_PREV,
  leafHash,
  rootOf,
  TreeBuilder,
} from '../../src/core/chain/index.js';
import type { CanonicalValue } from '../../src/core/kernel/index.js';
import { type ExportFile, type Members, numberIn, redigest, textIn } from './export-file.js';
import { logOf, noteOf, SELF_WITNESS, type Signer, WITNESSES } from './signers.js';

/** One entry to be written. `body` replaces the body that would be printed. */
export interface Draft {
  readonly type?: string;
  readonly data?: CanonicalValue;
  readonly body?: string;
  /** The key that seals it; null = unsealed. */
  readonly kid: string | null;
}

/** What an honest ledger consists of, and where its checkpoints stand. */
export interface LedgerPlan {
  readonly name: string;
  readonly tenantId: string;
  readonly drafts: readonly Draft[];
  /** What the last word about sealing is. */
  readonly sealing: { readonly enabled: boolean; readonly sinceSeq: number | null };
  /** Sealed entries with an anchor. */
  readonly anchoredAt: readonly number[];
  /** Sealed entries with a witnessed head; each is cosigned by {@link WITNESSES}, the last one by `lastWitnesses`. */
  readonly witnessedAt: readonly number[];
  readonly lastWitnesses?: readonly Signer[];
  /** The name of its log; default {@link originOf}. */
  readonly origin?: string;
}

export interface Ledger {
  readonly plan: LedgerPlan;
  readonly file: ExportFile;
  /** Last entry. */
  readonly headSeq: number;
  /** Key ids of the sealed entries, sorted. */
  readonly kids: readonly string[];
}

const MASTER = new Uint8Array(32).fill(11);
export const secretOf = (tenantId: string, kid: string): Uint8Array =>
  deriveLedgerKey(MASTER, tenantId, kid);

export const originOf = (tenantId: string): string => `shop.example/${tenantId}`;

const logName = ({ origin, tenantId }: LedgerPlan): string => origin ?? originOf(tenantId);

/** The verifier key of a ledger's log. */
export const logKeyOf = ({ plan }: Pick<Ledger, 'plan'>): string => logOf(logName(plan)).key.text;

const bodyOf = ({ type = 'toy.happened', data = {}, body }: Draft, seq: number): string =>
  body ??
  entryBodyText({
    id: `ent_${seq}`,
    type,
    atMs: Date.UTC(2026, 10, 30) + seq,
    actor: { role: 'system', id: 'test' },
    requestId: `req_${seq}`,
    data,
  });

/** Writes prev, mac and link of a row and returns the link. */
export function sealRow(
  row: Members,
  tenantId: string,
  seal: { kid: string; prev: string },
): string {
  const input = { tenantId, seq: numberIn(row, 'seq'), body: textIn(row, 'body'), ...seal };
  const mac = entryMac(secretOf(tenantId, seal.kid), input);
  return Object.assign(row, { ...seal, mac, link: entryLink(input, mac) }).link;
}

function rowsOf({ tenantId, drafts }: LedgerPlan): Members[] {
  let prev = GENESIS_PREV;
  return drafts.map((draft, seq) => {
    const { kid } = draft;
    const row: Members = {
      ...{ seq, body: bodyOf(draft, seq), kid: null, prev: null, mac: null, link: null },
    };
    if (kid !== null) prev = sealRow(row, tenantId, { kid, prev });
    return row;
  });
}

interface TreeState {
  readonly size: number;
  readonly root: Uint8Array;
}

/** The tree of the sealed rows up to `seq`. */
export function treeAt(rows: readonly Members[], seq: number): TreeState {
  const tree = new TreeBuilder();
  for (const row of rows) {
    const { link } = row;
    if (typeof link !== 'string' || numberIn(row, 'seq') > seq) continue;
    tree.pushLeafHash(leafHash(Buffer.from(link, 'hex')));
  }
  return { size: tree.size, root: rootOf(tree.range()) };
}

interface PointPlan {
  readonly kind: 'anchor' | 'witnessed_head';
  readonly seq: number;
  readonly witnesses: readonly Signer[];
}

/** An anchor or a witnessed head over these rows. */
export function pointOf(rows: readonly Members[], origin: string, plan: PointPlan): Members {
  const { kind, seq, witnesses } = plan;
  const { size, root } = treeAt(rows, seq);
  const hash = rows.find((row) => row['seq'] === seq)?.['link'] ?? null;
  return { kind, seq, hash, size, note: noteOf({ origin, size, root }, witnesses) };
}

const byPlace = (left: Members, right: Members): number =>
  numberIn(left, 'seq') - numberIn(right, 'seq') ||
  (textIn(left, 'kind') < textIn(right, 'kind') ? -1 : 1);

function pointsOf(plan: LedgerPlan, rows: readonly Members[]): Members[] {
  const { anchoredAt, witnessedAt, lastWitnesses = WITNESSES } = plan;
  const last = Math.max(...witnessedAt);
  const plans: PointPlan[] = [
    ...anchoredAt.map((seq) => ({ kind: 'anchor' as const, seq, witnesses: [] })),
    ...witnessedAt.map((seq) => ({
      kind: 'witnessed_head' as const,
      seq,
      witnesses: seq === last ? lastWitnesses : WITNESSES,
    })),
  ];
  return plans.map((point) => pointOf(rows, logName(plan), point)).sort(byPlace);
}

/** Head and counts as the rows say. */
export function statementsOf(rows: readonly Members[]): { head: Members; counts: Members } {
  const sealed = rows.filter(({ kid }) => kid !== null);
  return {
    head: { seq: rows.length - 1, hash: sealed.at(-1)?.['link'] ?? null },
    counts: { sealed: sealed.length, unsealed: rows.length - sealed.length },
  };
}

export function ledgerOf(plan: LedgerPlan): Ledger {
  const rows = rowsOf(plan);
  const kids = [...new Set(plan.drafts.flatMap(({ kid }) => kid ?? []))].sort();
  const points = pointsOf(plan, rows);
  const header: Members = {
    kind: 'header',
    format: 'oacp-commerce-ledger',
    version: 1,
    tenant_id: plan.tenantId,
    exported_at: '2026-11-30T10:00:00.123Z',
    sealing: { enabled: plan.sealing.enabled, since_seq: plan.sealing.sinceSeq, kids },
    ...statementsOf(rows),
    origin: points.length === 0 ? null : logName(plan),
    log_key: points.length === 0 ? null : logKeyOf({ plan }),
    self_witnesses: points.length === 0 ? [] : [SELF_WITNESS.name],
  };
  const trailer: Members = { kind: 'trailer', ...statementsOf(rows), digest: '' };
  const file = redigest({ header, points, rows, trailer });
  return { plan, file, headSeq: rows.length - 1, kids };
}
