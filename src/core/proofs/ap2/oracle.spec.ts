import { createPublicKey, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeWithOracle } from '../../../../test/support/oracles.js';
import {
  AP2_ERROR_OF_VERDICT,
  ap2Hash,
  type Ap2Object,
  judgeAp2Objects,
  parseAp2Object,
} from './index.js';
import { parseAp2Chain } from './chain.js';

interface Oracle {
  readonly clock_for_tests_unix_seconds: number;
  readonly tokens: readonly {
    readonly id: string;
    readonly token: string;
    readonly sd_hash_of_this_token?: string;
    readonly issuer_jwt_hash_of_this_token?: string;
    readonly disclosures?: readonly { readonly digest: string }[];
  }[];
  readonly bindings: Readonly<Record<string, { readonly value?: string }>>;
}

describeWithOracle<Oracle>(
  'ap2-0.2/encoded-tokens.json',
  'the six public tokens of AP2',
  (oracle) => {
    const atMs = oracle.clock_for_tests_unix_seconds * 1_000;
    const tokenOf = (id: string): string => {
      const found = oracle.tokens.find((one) => one.id === id);
      if (found === undefined) throw new Error(`no token ${id}`);
      return found.token;
    };
    const objectOf = (id: string): Ap2Object => {
      const parsed = parseAp2Object(tokenOf(id));
      if (!parsed.ok) throw new Error(`${id}: ${JSON.stringify(parsed.error)}`);
      return parsed.value;
    };

    it('hashes each token as the protocol does', () => {
      for (const { id, token, ...hashes } of oracle.tokens) {
        if (hashes.sd_hash_of_this_token !== undefined)
          expect([id, ap2Hash(token)]).toEqual([id, hashes.sd_hash_of_this_token]);
        if (hashes.issuer_jwt_hash_of_this_token !== undefined)
          expect(ap2Hash(token.split('~', 1)[0] ?? '')).toBe(hashes.issuer_jwt_hash_of_this_token);
        const digests = token.split('~').slice(1, -1).map(ap2Hash);
        if (hashes.disclosures !== undefined)
          expect(digests).toEqual(hashes.disclosures.map(({ digest }) => digest));
      }
    });

    it.each(['checkout-open', 'payment-open'])('reads %s, which can be registered', (id) => {
      const { content, proof } = objectOf(id);
      expect(content.version === '0.2' && content.mandate.closed).toBeNull();
      expect([proof.root.kid, proof.root.issuer, proof.links.length]).toEqual([
        'agent-provider-key-1',
        null,
        0,
      ]);
    });

    it.each(['checkout-closed', 'payment-closed'])(
      'does not read %s without what it is bound to',
      (id) => {
        const parsed = parseAp2Object(tokenOf(id));
        expect(parsed.ok || parsed.error).toMatchObject({ check: 'shape', member: 'header.typ' });
      },
    );

    it.each(['checkout-chain', 'payment-chain'])('reads %s and verifies its link', (id) => {
      const [link, ...others] = objectOf(id).proof.links;
      if (link === undefined) throw new Error('no link');
      expect(others).toEqual([]);
      const { jws, key } = link;
      const verified = verify(
        'sha256',
        Buffer.from(jws.signingInput),
        { key: createPublicKey({ key: { ...key.jwk }, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
        jws.signature,
      );
      expect(verified).toBe(true);
    });

    it('finds the constraints of both chains kept, and both belong together', () => {
      const objects = ['checkout-chain', 'payment-chain'].map(objectOf);
      const judged = judgeAp2Objects(objects, atMs);
      expect(judged.map(({ finding }) => finding)).toEqual([null, null]);
      const [checkout, payment] = judged.flatMap(({ mandates }) => mandates);
      expect(checkout).toMatchObject({
        kind: 'cart',
        payee: 'merchant_1',
        presence: 'absent',
        cap: { amountMinor: 19_900n, currency: 'USD' },
        issuedAtMs: 1_777_342_376_000,
        notBeforeAtMs: 1_777_342_376_000,
        expiresAtMs: 1_777_345_957_000,
      });
      expect(payment).toMatchObject({
        kind: 'payment',
        payee: 'merchant_1',
        intents: [{ cap: { amountMinor: 20_000n, currency: 'USD' } }],
      });
    });

    it('binds them by the hashes of the protocol', () => {
      const chain = parseAp2Chain(tokenOf('payment-chain'));
      if (!chain.ok) throw new Error('not read');
      const { closed, opens } = chain.value;
      expect(closed?.object['transaction_id']).toBe(oracle.bindings['checkout_hash']?.value);
      expect(JSON.stringify(opens[0]?.object)).toContain(
        String(oracle.bindings['conditional_transaction_id']?.value),
      );
    });

    it.each([
      ['the payment without its checkout', ['payment-chain'], 'transaction_id'],
      [
        'a payment beside an open checkout only',
        ['payment-chain', 'checkout-open'],
        'transaction_id',
      ],
    ] as const)('leaves %s unresolved', (_, ids, constraint) => {
      const [first] = judgeAp2Objects(ids.map(objectOf), atMs);
      expect(first?.finding).toMatchObject({ verdict: 'unresolved', constraint });
      expect(AP2_ERROR_OF_VERDICT[first?.finding?.verdict ?? 'violated']).toBe(
        'unresolved_constraint',
      );
    });
  },
);
