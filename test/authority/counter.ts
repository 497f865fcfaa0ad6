import { CompactSign, exportJWK, generateKeyPair, type JWK } from 'jose';
import type { TenantId } from '../../src/core/kernel/index.js';
import { TEST_SERVICE_TOKEN } from '../support/authority-settings.js';
import type { Answer, Desk } from './desk.js';
import { drawnId } from './forest.js';

/** What is asked for at the counter: consents, mandates, passports, registrations, with terms that tests change. */

export const T0 = '2026-02-01T00:00:00.000Z';
export const T0_MS = Date.parse(T0);
export const at = (seconds: number): string => new Date(T0_MS + seconds * 1_000).toISOString();

export type Terms = Readonly<Record<string, unknown>>;

/** What is answered to something that was issued: its id under the word of its kind. */
export interface Issued {
  readonly consent_id: string;
  readonly mandate_id: string;
  readonly passport_id: string;
  readonly registration_id: string;
  readonly token: string;
  readonly slot: { readonly uri: string; readonly idx: number };
}

/** The fields that a refusal names. */
export const fieldsOf = ({ body }: Pick<Answer, 'body'>): readonly unknown[] => {
  const { field, errors = [] } = body as { field: unknown; errors?: { field: unknown }[] };
  return [field, ...errors.map((one) => one.field)];
};

export const consentTerms = (terms: Terms = {}): Terms => ({
  merchant_id: 'shop-1',
  agent_id: 'agt_1',
  subject: 'buyer@example.org',
  scopes: ['commerce:catalog.read', 'commerce:checkout.create'],
  state: 'granted',
  expires_at: at(86_400),
  ...terms,
});

export const mandateTerms = (terms: Terms = {}): Terms => ({
  kind: 'intent',
  subject: 'buyer@example.org',
  agent_id: 'agt_1',
  merchant_ids: ['shop-1', 'shop-2'],
  cap: { amount: '10000', currency: 'INR' },
  expires_at: at(86_400),
  ...terms,
});

export const passportTerms = (consentId: string, terms: Terms = {}): Terms => ({
  consent_id: consentId,
  passport_type: 'checkout',
  scopes: ['commerce:checkout.create'],
  max_amount: { amount: '5000', currency: 'INR' },
  ...terms,
});

export type Room = 'consents' | 'mandates' | 'passports' | 'registrations';

/** The counter of one new tenant, whose test clock stands at {@link T0}. */
export async function openCounter(desk: Desk, testClockAt: string | null = T0) {
  const tenantId = await desk.tenant('test', testClockAt);
  const path = `/v1/tenants/${tenantId}`;
  const issue = (room: Room, terms: Terms) => desk.call('POST', `${path}/${room}`, terms);
  return {
    tenantId,
    path,
    issue,
    read: (room: Room, id: string) => desk.call('GET', `${path}/${room}/${id}`),
    clock: (now: string) => desk.call('POST', `${path}/clock`, { now }),
    entries: () => desk.entryCount(tenantId),
    differences: () => desk.differences(tenantId),
    /** As {@link issue}, which has to succeed. */
    async issued(room: Room, terms: Terms): Promise<Issued> {
      const answer = await issue(room, terms);
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.body as Issued;
    },
    revoke: (kind: string, objectId: string, status = 'revoked') =>
      desk.call('POST', `${path}/revocations`, {
        target: { kind, object_id: objectId },
        status,
        reason_code: 'other',
        revoked_by: 'operator',
      }),
    /** With an Idempotency-Key. */
    async keyed(room: Room, terms: Terms, key: string): Promise<Answer> {
      const answer = await fetch(`${desk.url}${path}/${room}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${TEST_SERVICE_TOKEN}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(terms),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
    },
  };
}
export type Counter = Awaited<ReturnType<typeof openCounter>>;

/** Every entry of a tenant as text: what nobody should find a name in. */
export async function ledgerText(desk: Pick<Desk, 'pool'>, tenantId: TenantId): Promise<string> {
  const { rows } = await desk.pool.query<{ body: string }>(
    'SELECT body FROM entries WHERE tenant_id = $1 ORDER BY seq',
    [tenantId],
  );
  return rows.map(({ body }) => body).join('\n');
}

/** A buyer with a key, who can take a consent back. */
export async function makeBuyer(alg: 'ES256' | 'EdDSA' = 'ES256') {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  const jwk: JWK = await exportJWK(publicKey);
  return {
    jwk,
    proof: (claims: Terms, header: Terms = {}): Promise<string> =>
      new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg, typ: 'consent-withdrawal+jwt', ...header })
        .sign(privateKey),
  };
}
export type Buyer = Awaited<ReturnType<typeof makeBuyer>>;

export const withdrawalClaims = (
  desk: Pick<Desk, 'origin'>,
  { tenantId }: Pick<Counter, 'tenantId'>,
  consentId: string,
): Terms => ({
  iss: 'buyer@example.org',
  aud: desk.origin,
  jti: drawnId('proof'),
  iat: Math.floor(Date.now() / 1_000),
  consent_id: consentId,
  tenant_id: tenantId,
});
