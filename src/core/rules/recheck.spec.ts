import { describe, expect, it } from 'vitest';
import {
  AT_MS,
  change,
  mandateOf,
  soundAbsentPurchase,
  soundHandoff,
  soundPurchase,
} from '../../../test/support/purchase-case.js';
import { decidePurchase } from './decide-purchase.js';
import type { StatusFact } from './facts.js';
import { recheckPurchase, slotsOf, type StatusSlot, withFreshStatuses } from './recheck.js';

/** The last instant of an allow: every signed fact of the merchant is long over, credentials are made to last. */
const USE_AT_MS = AT_MS + 600_000;

const lineageOf = (kind: string, ref: string): string => `${kind}|${ref}`;
const freshStatus = ({ listUri, index }: StatusSlot): StatusFact => ({
  verdict: 'valid',
  listUri,
  index,
  listIssuedAtMs: USE_AT_MS,
  listVersion: null,
  fault: null,
});

function atUse(sample = soundPurchase(), statusOf = freshStatus) {
  const lasting = change(sample, ({ facts: { authority } }) => {
    for (const one of [...authority.mandates, authority.consent, authority.passport])
      if (one !== null) one.expiresAtMs = USE_AT_MS + 1;
    if (authority.passport !== null) authority.passport.issuedAtMs = USE_AT_MS - 599_000;
  });
  return {
    ...lasting,
    facts: withFreshStatuses(lasting.facts, lineageOf, statusOf),
    atMs: USE_AT_MS,
  };
}

describe('at the instant of use', () => {
  it.each([
    ['buyer present', soundPurchase()],
    ['buyer away', soundAbsentPurchase()],
    ['handoff', soundHandoff()],
  ])('%s: what was fresh at the decision is not asked to be fresh again', (_name, sample) => {
    const use = atUse(sample);
    expect(decidePurchase(use).outcome).toBe('refuse');
    expect(recheckPurchase(use, AT_MS)).toMatchObject({ outcome: 'allow', failingRule: null });
  });

  it('a credential that has ended is found', () => {
    const ended = change(atUse(), (draft) => {
      mandateOf(draft, 'payment').expiresAtMs = USE_AT_MS;
    });
    expect(recheckPurchase(ended, AT_MS)).toMatchObject({
      failingRule: 'mandate_present',
      reason: 'mandate_expired',
    });
  });

  it('a cart mandate that had proved presence too long before the decision proves it no more', () => {
    const old = change(atUse(), (draft) => {
      mandateOf(draft, 'cart').issuedAtMs = AT_MS - 600_001;
    });
    const { trace } = recheckPurchase(old, AT_MS);
    const presence = trace.find(({ rule }) => rule === 'not_present_limits');
    expect(presence?.notes).toEqual(['buyer_not_present']);
  });

  it('facts that were too old at the decision stay too old, whatever the status says now', () => {
    const stale = change(atUse(soundHandoff()), ({ facts }) => {
      for (const artifact of facts.artifacts) artifact.expiresAtMs = AT_MS;
    });
    expect(recheckPurchase(stale, AT_MS).reason).toBe('artifact_expired_or_stale:catalog_snapshot');
  });
});

describe('the statuses of stored facts', () => {
  const { facts } = soundPurchase();

  it('are looked for in every place: artifacts, credentials, ancestors', () => {
    const slots = slotsOf(facts, lineageOf);
    const lineages = slots.map(({ lineage }) => lineage);
    expect(lineages).toEqual([
      // What stands above each mandate, then the mandate.
      ...['intent', 'cart', 'payment'].flatMap((kind) => ['mandate|above', `mandate|mdt_${kind}`]),
      'consent|cns_1',
      'passport|cpsp_1',
      ...facts.artifacts.map(() => null),
    ]);
  });

  it.each<[string, (slot: StatusSlot) => boolean, string]>([
    ['a mandate', ({ lineage }) => lineage === 'mandate|mdt_payment', 'mandate_revoked'],
    ['an ancestor', ({ lineage }) => lineage === 'mandate|above', 'mandate_parent_revoked'],
    ['the consent', ({ lineage }) => lineage === 'consent|cns_1', 'consent_revoked'],
    ['the passport', ({ lineage }) => lineage === 'passport|cpsp_1', 'passport_revoked'],
    ['an artifact', ({ lineage }) => lineage === null, 'artifact_revoked:catalog_snapshot'],
  ])('%s that is revoked now refuses', (_name, isIt, reason) => {
    const use = atUse(soundPurchase(), (slot) => ({
      ...freshStatus(slot),
      verdict: isIt(slot) ? 'revoked' : 'valid',
    }));
    expect(recheckPurchase(use, AT_MS).reason).toBe(reason);
  });

  it('the worst of several ancestors counts', () => {
    const two = change(soundPurchase(), (draft) => {
      const [above] = mandateOf(draft, 'payment').ancestorSlots;
      if (above !== undefined)
        mandateOf(draft, 'payment').ancestorSlots = [above, { ...above, lineage: 'mandate|top' }];
    });
    const use = atUse(two, (slot) => ({
      ...freshStatus(slot),
      verdict: slot.lineage === 'mandate|top' ? 'unavailable' : 'valid',
    }));
    expect(recheckPurchase(use, AT_MS).reason).toBe('status_list_unavailable');
  });

  it('of an entry that names no ancestors the one status it has is looked at again', () => {
    const before = change(soundPurchase(), (draft) => {
      for (const mandate of draft.facts.authority.mandates) mandate.ancestorSlots = [];
    });
    const use = atUse(before, (slot) => ({
      ...freshStatus(slot),
      verdict: slot.lineage === null && slot.index === 2 ? 'suspended' : 'valid',
    }));
    expect(recheckPurchase(use, AT_MS).reason).toBe('mandate_parent_revoked');
  });

  it('what the caller only claimed has no place, and stays as it was', () => {
    const claimed = change(soundPurchase(), ({ facts: { authority } }) => {
      if (authority.consent !== null)
        authority.consent.status = {
          verdict: 'not_checked',
          listUri: null,
          index: null,
          listIssuedAtMs: null,
          listVersion: null,
          fault: null,
        };
    });
    const again = withFreshStatuses(claimed.facts, lineageOf, freshStatus);
    expect(again.authority.consent?.status.verdict).toBe('not_checked');
  });
});
