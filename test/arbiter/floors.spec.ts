import { beforeEach, describe, expect, it } from 'vitest';
import { NO_COUNTERSIGNER } from '../../src/money/arbiter/index.js';
import type { ArtifactResolver } from '../../src/trust/facts/index.js';
import type { StatusChecker } from '../../src/trust/status/index.js';
import { signedEnvelope } from '../support/issuer.js';
import { testHouse, valueOf } from '../support/tenants.js';
import { type AuthorityScene, authorityScene, handoff, useOf } from './authority.js';

/**
 * A revoke that is answered between the look at the status lists and the tenant's lock (decisions 4.3): what was read from
 * an older copy is looked up again, and after the last look it is unavailable. Never an error.
 */

const TEST = { world: 'test' } as const;
const LOOKS = 3;

const house = testHouse();
let scene: AuthorityScene;
let looks: number;
beforeEach(async () => {
  scene = await authorityScene(house, 'test');
  looks = 0;
});

const withdraw = async (target: object, status: 'revoked' | 'suspended' | 'valid' = 'revoked') => {
  const request = { status, reasonCode: 'recall', scope: { merchantIds: null } } as const;
  const { revocations } = scene.rooms;
  valueOf(await revocations.change(scene.context(), { ...request, target: target as never }));
};

const PRICE = { artifactType: 'price', merchantId: 'shop-1', variantId: 'tea-100g' };

/** What happens after a look, and before the lock. */
type Between = () => Promise<void>;

const revokePriceOnce: Between = async () => {
  if (looks === 1) await withdraw(PRICE);
};
/** Of something else on the same list. */
const raiseFloor: Between = async () => withdraw({ slot: await scene.slot() });
const raiseFloorOnce: Between = async () => {
  if (looks === 1) await raiseFloor();
};

const lookingUp = (between: Between): ArtifactResolver => ({
  async resolveArtifacts(request) {
    const found = await scene.rooms.facts.resolveArtifacts(request);
    looks += 1;
    await between();
    return found;
  },
});

const checking = (between: Between): StatusChecker => ({
  async check(...asked) {
    const said = await scene.rooms.statuses.check(...asked);
    looks += 1;
    await between();
    return said;
  },
});

const silent = { countersigner: NO_COUNTERSIGNER };
const REVOKED = 'artifact_revoked:price';
const UNAVAILABLE = 'status_list_unavailable:catalog_snapshot';

describe.each<[string, Between, number, string | null]>([
  ['of something else on the list', raiseFloorOnce, 2, null],
  ['of the price itself', revokePriceOnce, 2, REVOKED],
  ['again and again', raiseFloor, LOOKS, UNAVAILABLE],
])('a revoke %s, after the look', (_what, between, looked, reason) => {
  it('makes a decision look again', async () => {
    const arbiter = scene.arbiterWith({ ...silent, artifacts: lookingUp(between) });
    const decided = valueOf(await arbiter.decidePurchase(scene.context(), handoff(TEST)));
    expect(decided.decision.reason).toBe(reason);
    expect(looks).toBe(looked);
  });

  it('makes a simulation look again', async () => {
    const arbiter = scene.arbiterWith({ ...silent, artifacts: lookingUp(between) });
    const { judgement } = valueOf(await arbiter.simulatePurchase(scene.tenantId, handoff(TEST)));
    expect(judgement.decision.reason).toBe(reason);
    expect(looks).toBe(looked);
  });

  it('makes the use of an allow look again', async () => {
    const arbiter = scene.arbiterWith({ ...silent, statuses: checking(between) });
    const { decisionId } = valueOf(await arbiter.decidePurchase(scene.context(), handoff(TEST)));
    const outcome = valueOf(await arbiter.consume(scene.context(), useOf(decisionId)));
    expect(looks).toBe(looked);
    if (reason === null) expect(outcome.kind).toBe('used');
    else
      expect(outcome).toMatchObject({
        kind: 'recheck_refused',
        decision: { decision: { reason } },
      });
  });
});

it('what was suspended and taken back before the lock is looked up again, and counts', async () => {
  const arbiter = scene.arbiterWith({
    ...silent,
    artifacts: lookingUp(async () => {
      if (looks > 1) return;
      await withdraw(PRICE, 'suspended');
      await withdraw(PRICE, 'valid');
    }),
  });
  const decided = valueOf(await arbiter.decidePurchase(scene.context(), handoff(TEST)));
  expect(decided.decision.outcome).toBe('allow');
  expect(looks).toBe(2);
});

it('what is on lists that nobody touched is not looked up again', async () => {
  const other = await authorityScene(house, 'test');
  const arbiter = scene.arbiterWith({
    ...silent,
    artifacts: lookingUp(async () => {
      const envelope = signedEnvelope(
        { key: other.keys.facts, scene: other, slot: await other.slot() },
        { variantId: 'other' },
      );
      const context = other.context();
      const scope = { merchantIds: null };
      const { artifactId } = valueOf(
        await other.rooms.artifacts.register(context, { envelope, scope }),
      );
      const request = { status: 'revoked', reasonCode: 'recall', scope } as const;
      const target = { subjectId: artifactId };
      valueOf(await other.rooms.revocations.change(context, { ...request, target }));
    }),
  });
  const decided = valueOf(await arbiter.decidePurchase(scene.context(), handoff(TEST)));
  expect(decided.decision.outcome).toBe('allow');
  expect(looks).toBe(1);
});
