import {
  type ChainEntry,
  ExportDigest,
  exportHeaderLine,
  exportRowLine,
  exportTrailerLine,
} from '../../src/core/chain/index.js';
import { testDatabase } from '../support/database.js';

/** The tenant's ledger as an export in JSON Lines, sealed from the first entry to the last, without anchors. */
export async function exportLinesOf(tenantId: string): Promise<readonly string[]> {
  const { rows } = await testDatabase().pool.query<ChainEntry & { readonly seq: string }>(
    'SELECT seq, body, kid, prev, mac, link FROM entries WHERE tenant_id = $1 ORDER BY seq',
    [tenantId],
  );
  const entries = rows.map((row): ChainEntry => ({ ...row, seq: Number(row.seq) }));
  const last = entries.at(-1);
  if (last === undefined || entries.some(({ kid }) => kid === null))
    throw new Error('every entry of this tenant is sealed');
  const head = { seq: last.seq, hash: last.link };
  const counts = { sealed: entries.length, unsealed: 0 };
  const header = exportHeaderLine({
    tenantId,
    exportedAt: '2026-11-30T09:30:00.000Z',
    sealing: {
      enabled: true,
      sinceSeq: 0,
      kids: [...new Set(entries.map(({ kid }) => kid ?? ''))].sort(),
    },
    head,
    counts,
    origin: null,
    logKey: null,
    selfWitnesses: [],
  });
  const digest = new ExportDigest();
  digest.add(header);
  return [
    header,
    ...entries.map(exportRowLine),
    exportTrailerLine({ head, counts, digest: digest.hex() }),
  ];
}
