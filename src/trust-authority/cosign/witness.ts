import {
  canonicalize,
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
} from '../../core/kernel/index.js';
import type { SigningKeys } from '../../base/keys/index.js';
import { cell, type Command, event, readRow, type Writer } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { headCosigned, witnessedHeads } from '../ledger/index.js';
import { type ServedTenant, SYSTEM_TENANT } from '../tenants/index.js';
import { judgeHead, type LedgerHead } from './head-rule.js';

export const LEDGER_HEAD_TYP = 'ledger-head+jwt';

/** A head of one of the tenant's ledgers. */
export interface NamedHead extends LedgerHead {
  readonly ledgerId: string;
}

export interface WitnessParts {
  readonly database: Queryable;
  readonly writer: Writer;
  readonly signingKeys: Pick<SigningKeys, 'signJws'>;
  readonly origin: string;
}

/** Witness of an arbiter's ledger (facts/arbiter.md L24): what was cosigned once can no longer be cut or rewritten unseen. */
export class Witness {
  constructor(private readonly parts: WitnessParts) {}

  /**
   * Records a head and signs it: a compact JWS of typ {@link LEDGER_HEAD_TYP}, claims {iss, sub: ledger id, tenant_id, seq,
   * link, iat}. It is recorded before it is signed; the same head again gives the same claims. Problems, in order:
   * conflict (lower than one that was cosigned, or another link at its place), unavailable, outcome_unknown.
   */
  async cosign(tenant: ServedTenant, head: NamedHead): Promise<Result<string, Problem>> {
    const { writer, signingKeys, origin } = this.parts;
    const recorded = await writer.execute(recordHead(tenant, head));
    if (!recorded.ok) return recorded;
    const cosignedAtMs = recorded.value ?? (await this.#cosignedBefore(tenant, head));
    if (cosignedAtMs === null) return err(lowerHead);
    const claims = {
      iss: origin,
      sub: head.ledgerId,
      tenant_id: tenant.tenantId,
      seq: head.seq,
      link: head.link,
      iat: Math.floor(cosignedAtMs / 1_000),
    };
    return signingKeys.signJws(SYSTEM_TENANT, 'witness', {
      header: { typ: LEDGER_HEAD_TYP },
      payload: Buffer.from(canonicalize(claims), 'utf8'),
    });
  }

  /** When the same head was cosigned; null = a higher one was meanwhile. */
  async #cosignedBefore(
    { tenantId }: ServedTenant,
    { ledgerId, seq }: NamedHead,
  ): Promise<InstantMs | null> {
    const row = await readRow(this.parts.database, witnessedHeads, { tenantId, key: [ledgerId] });
    invariant(row !== undefined, 'a cosigned head stays');
    return row.seq === seq ? row.cosignedAtMs : null;
  }
}

/** Answers with the instant of the entry; null = the head was cosigned before. */
const recordHead = ({ context }: ServedTenant, head: NamedHead): Command<InstantMs | null> => ({
  ...context,
  name: 'authority.cosign_head',
  reads: [cell(witnessedHeads, head.ledgerId)],
  decide(view) {
    switch (judgeHead(view.get(witnessedHeads, [head.ledgerId]), head)) {
      case 'new':
        return ok({ events: [event(headCosigned, head)] });
      case 'same':
        return ok({ events: [] });
      case 'lower':
        return err(lowerHead);
      case 'other_link':
        return err(otherLink);
    }
  },
  answer: (entries) => entries[0]?.atMs ?? null,
});

const lowerHead = problem('conflict', 'A later head of this ledger was cosigned already.', {
  fix: 'Send the newest head. If this is the newest, entries of the ledger are missing: look into it.',
  field: '/seq',
});

const otherLink = problem('conflict', 'Another link was cosigned at this place of the ledger.', {
  fix: 'The ledger was rewritten or two run under one id: look into it.',
  field: '/link',
});
