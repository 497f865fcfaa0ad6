import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Command, event } from '../../src/base/ledger/index.js';
import { err, ok, problem } from '../../src/core/kernel/index.js';
import { claimEvidence, evidenceClaimReads } from '../../src/trust/rail-evidence/index.js';
import { afaEvidenceClaimed } from '../../src/trust/rail-evidence/evidence-claims.js';
import {
  createTestTenant,
  type TestHouse,
  testHouse,
  type TestTenant,
} from '../support/tenants.js';

/** Two houses are two processes on one database. */
const houses = [testHouse({ quiet: true }), testHouse({ quiet: true })] as const;
let tenant: TestTenant;
beforeAll(async () => {
  tenant = await createTestTenant(houses[0]);
});

const freshRef = () => randomBytes(32).toString('hex');
const used = problem('conflict', 'used', { fix: 'Authenticate anew.' });
const CART = 'c'.repeat(64);

/** What a consuming command does with the references of its decision. */
const claiming = (refs: readonly string[], decisionId: string): Command<null> => ({
  ...tenant.context(),
  name: 'test.consume',
  reads: evidenceClaimReads(refs),
  decide(view) {
    const claimed = claimEvidence(view, refs, { decisionId, cartHash: CART });
    return claimed.ok ? ok({ events: claimed.value }) : err(used);
  },
  answer: () => null,
});

/** A command that looks at nothing: only the primary key stands in its way. */
const blind = (evidenceRef: string, decisionId: string): Command<null> => ({
  ...tenant.context(),
  name: 'test.blind',
  reads: [],
  decide: () =>
    ok({ events: [event(afaEvidenceClaimed, { evidenceRef, decisionId, cartHash: CART })] }),
  answer: () => null,
});

const run = async (house: TestHouse, command: Command<null>): Promise<string> => {
  try {
    const result = await house.writer.execute(command);
    return result.ok ? 'claimed' : result.error.code;
  } catch {
    return 'thrown';
  }
};

const claimsOf = async (ref: string) => {
  const { rows } = await houses[0].database.query<{ decision_id: string; cart_hash: string }>(
    'SELECT decision_id, cart_hash FROM afa_evidence_claims WHERE tenant_id = $1 AND evidence_ref = $2',
    [tenant.tenantId, ref],
  );
  return rows;
};

describe('claiming evidence', () => {
  it('uses it up for every other decision, and for its own a second time', async () => {
    const ref = freshRef();
    expect(await run(houses[0], claiming([ref], 'arbdec_1'))).toBe('claimed');
    expect(await run(houses[1], claiming([ref], 'arbdec_2'))).toBe('conflict');
    expect(await run(houses[0], claiming([ref], 'arbdec_1'))).toBe('conflict');
    expect(await claimsOf(ref)).toEqual([{ decision_id: 'arbdec_1', cart_hash: CART }]);
  });

  it('claims all references of a decision or none', async () => {
    const [free, taken] = [freshRef(), freshRef()];
    expect(await run(houses[0], claiming([taken], 'arbdec_1'))).toBe('claimed');
    expect(await run(houses[0], claiming([free, taken], 'arbdec_2'))).toBe('conflict');
    expect(await claimsOf(free)).toEqual([]);
    expect(await run(houses[0], claiming([free, free], 'arbdec_3'))).toBe('claimed');
    expect(await run(houses[0], claiming([], 'arbdec_4'))).toBe('claimed');
  });

  it('happens once among 40 at the same time in two processes', async () => {
    const ref = freshRef();
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        run(houses[index % 2 === 0 ? 0 : 1], claiming([ref], `arbdec_${index}`)),
      ),
    );
    expect(outcomes.filter((one) => one === 'claimed')).toHaveLength(1);
    expect(outcomes.filter((one) => one === 'conflict')).toHaveLength(39);
    expect(await claimsOf(ref)).toHaveLength(1);
  });

  it('happens once by the primary key alone, whatever a command looked at', async () => {
    const ref = freshRef();
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        run(houses[index % 2 === 0 ? 0 : 1], blind(ref, `arbdec_${index}`)),
      ),
    );
    expect(outcomes.filter((one) => one === 'claimed')).toHaveLength(1);
    expect(await claimsOf(ref)).toHaveLength(1);
    expect(await run(houses[1], blind(ref, 'arbdec_late'))).not.toBe('claimed');
  });
});
