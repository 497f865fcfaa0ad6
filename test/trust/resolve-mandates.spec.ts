import { inspect } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { mandateToken, type MandateOptions } from '../support/issuer.js';
import { testHouse, valueOf } from '../support/tenants.js';
import { resolveAuthority, type TrustScene, trustScene } from '../support/trust.js';

const house = testHouse();
let scene: TrustScene;
beforeAll(async () => {
  scene = await trustScene(house);
});

const mandate = async (options: MandateOptions = {}) =>
  mandateToken({ key: scene.keys.mandates, scene, slot: await scene.slot() }, options);

describe('the mandates of a purchase', () => {
  it('hands out no rail when two payment mandates could be charged, in whatever order', async () => {
    const onRail = async (rail: string) =>
      mandate({ kind: 'payment', claims: { payment: { rail, event: 'one_time' } } });
    const mandates = [await onRail('card_once'), await onRail('upi_autopay')];
    for (const named of [mandates, [...mandates].reverse()]) {
      const { railClaims, facts } = await resolveAuthority(scene, {
        evidence: { mandates: named },
      });
      expect(facts.mandates).toHaveLength(2);
      expect(railClaims).toBeNull();
    }
  });

  it('leaves out no mandate that was named, even one that nobody knows', async () => {
    const evidence = { mandates: [await mandate(), 'mnd_nobody_knows'] };
    const { facts, presenceEvidence } = await resolveAuthority(scene, { evidence });
    expect(facts.mandates.map(({ signature }) => signature)).toEqual(['valid', 'not_found']);
    expect([facts.source, presenceEvidence]).toEqual(['caller_asserted', 'resolved']);
  });

  it('names every intent above a mandate, whether or not the purchase names it', async () => {
    const top = await mandate({ claims: { jti: 'mnd_top' } });
    const middle = await mandate({ claims: { jti: 'mnd_middle' }, parent: 'mnd_top' });
    for (const token of [top, middle])
      valueOf(
        await scene.rooms.credentials.register(scene.tenant.context(), { kind: 'mandate', token }),
      );
    const payment = await mandate({ kind: 'payment', parent: 'mnd_middle' });
    const alone = await mandate({ kind: 'payment' });
    const { facts } = await resolveAuthority(scene, {
      evidence: { mandates: ['mnd_middle', payment, alone] },
    });
    expect(facts.mandates.map(({ intentRefs }) => intentRefs)).toEqual([
      ['mnd_middle', 'mnd_top'],
      ['mnd_middle', 'mnd_top'],
      [],
    ]);
  });

  it('keeps nothing of the free text in which a body names what it claims', async () => {
    const ref = 'asha@example.org';
    const asserted = {
      mandateRef: ref,
      mandateExpiresAtMs: scene.atMs + 1,
      consentRef: ref,
      consentState: 'granted',
      consentExpiresAtMs: null,
      passportRef: ref,
      passportMaxAmountMinor: 999_999_999n,
      passportCurrency: 'INR',
      passportExpiresAtMs: null,
    } as const;
    const { facts } = await resolveAuthority(scene, { asserted });
    expect([facts.mandates.length, facts.consent?.source, facts.passport?.source]).toEqual([
      1,
      'caller_asserted',
      'caller_asserted',
    ]);
    expect(inspect(facts, { depth: null })).not.toContain(ref);
  });
});
