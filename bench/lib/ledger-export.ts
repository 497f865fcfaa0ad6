import {
  deriveLedgerKey,
  entryBodyText,
  entryLink,
  entryMac,
  GENESIS_PREV,
  ExportDigest,
  exportHeaderLine,
  exportRowLine,
  exportTrailerLine,
} from '../../src/core/chain/index.js';

export const TENANT_ID = 'tnt_bench';
export const KEY = deriveLedgerKey(new Uint8Array(32).fill(1), TENANT_ID, 'k1');

const bodyOf = (seq: number): string =>
  entryBodyText({
    id: `ent_${seq.toString(16).padStart(32, '0')}`,
    type: seq === 0 ? 'ledger.opened' : 'decision.made',
    atMs: Date.UTC(2026, 10, 30) + seq,
    actor: { role: 'agent', id: 'agt_0123456789abcdef' },
    requestId: `req_${seq}`,
    data:
      seq === 0
        ? { sealing: { on: true, kid: 'k1' } }
        : {
            decision_id: 'arbdec_2d4e324f2437',
            outcome: 'allow',
            merchant_id: 'chai-house',
            amount: { amount: '91800', currency: 'INR' },
            rules: [
              { rule: 'facts_valid', passed: true },
              { rule: 'merchant_limits', passed: true },
            ],
            usable: true,
            order: null,
            count: seq,
          },
  });

/** The rows of an export as they stand in the file, each line with its LF: decisions of some 480 bytes, all sealed. */
export function exportedRows(count: number): Buffer {
  const lines: string[] = [];
  let prev = GENESIS_PREV;
  for (let seq = 0; seq < count; seq += 1) {
    const place = { tenantId: TENANT_ID, seq, kid: 'k1', prev, body: bodyOf(seq) };
    const mac = entryMac(KEY, place);
    const link = entryLink(place, mac);
    lines.push(exportRowLine({ ...place, mac, link }));
    prev = link;
  }
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** A whole export of so many sealed rows. */
export function wholeExport(count: number): Buffer {
  const rows = exportedRows(count);
  const link = /"link":"([0-9a-f]{64})"/.exec(rows.toString('latin1', rows.length - 400))?.[1];
  const head = { seq: count - 1, hash: link ?? null };
  const counts = { sealed: count, unsealed: 0 };
  const header = exportHeaderLine({
    tenantId: TENANT_ID,
    exportedAt: '2026-11-30T10:00:00.000Z',
    sealing: { enabled: true, sinceSeq: 0, kids: ['k1'] },
    head,
    counts,
    origin: null,
    logKey: null,
    selfWitnesses: [],
  });
  const digest = new ExportDigest();
  digest.add(header);
  const trailer = exportTrailerLine({ head, counts, digest: digest.hex() });
  return Buffer.concat([Buffer.from(`${header}\n`), rows, Buffer.from(`${trailer}\n`)]);
}
