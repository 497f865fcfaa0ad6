import { createHash, randomUUID } from 'node:crypto';
import { importJWK, compactVerify, type JWK } from 'jose';
import { inflateSync } from 'node:zlib';
import type { TenantId } from '../../src/core/kernel/index.js';
import type { Answer, Desk } from './desk.js';

/** Objects as arbiters bind them. */

export const drawnId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`;

export interface WireSlot {
  readonly uri: string;
  readonly idx: number;
}

export interface WireObject {
  readonly kind: string;
  readonly object_id: string;
  readonly sha256: string;
  readonly lineage: string;
  readonly merchant_ids: readonly string[];
  readonly slot: WireSlot;
  readonly artifact_type?: string | null;
  readonly mandate?: Readonly<Record<string, unknown>> | null;
  readonly consent_id?: string | null;
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export function mandate(
  slot: WireSlot,
  parentId: string | null = null,
  terms: Readonly<Record<string, unknown>> = {},
): WireObject {
  const id = drawnId('mnd');
  return {
    kind: 'mandate',
    object_id: id,
    sha256: sha256(id),
    lineage: `mandate|${id}`,
    merchant_ids: ['shop-1'],
    slot,
    mandate: {
      parent_id: parentId,
      mandate_kind: 'intent',
      subject_commitment: 'buyer-1',
      agent_id: 'agt_1',
      cart_hash: null,
      cap: { amount: '10000', currency: 'INR' },
      not_before: '2026-01-01T00:00:00.000Z',
      expires_at: '2036-01-01T00:00:00.000Z',
      ...terms,
    },
  };
}

export function artifact(slot: WireSlot, lineage = drawnId('lineage')): WireObject {
  const id = drawnId('art');
  return {
    kind: 'artifact',
    object_id: id,
    sha256: sha256(id),
    lineage,
    merchant_ids: ['shop-1'],
    slot,
    artifact_type: 'price',
  };
}

export function plain(
  kind: 'consent' | 'passport',
  slot: WireSlot,
  consentId: string | null = null,
): WireObject {
  const id = drawnId(kind === 'consent' ? 'cns' : 'psp');
  return {
    kind,
    object_id: id,
    sha256: sha256(id),
    lineage: `${kind}|${id}`,
    merchant_ids: ['shop-1'],
    slot,
    consent_id: consentId,
  };
}

export const bind = (
  desk: Pick<Desk, 'call'>,
  tenantId: TenantId,
  objects: readonly WireObject[],
): Promise<Answer> => desk.call('POST', `/v1/tenants/${tenantId}/objects`, { objects });

export const revoke = (
  desk: Pick<Desk, 'call'>,
  tenantId: TenantId,
  target: object,
  status = 'revoked',
): Promise<Answer> =>
  desk.call('POST', `/v1/tenants/${tenantId}/revocations`, {
    target,
    status,
    reason_code: 'recall',
    revoked_by: 'merchant',
  });

export const claimsOf = (jws: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;

export const headerOf = (jws: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;

/** Verifies a JWS of the authority by its published keys and answers with its claims. */
export async function verified(
  desk: Pick<Desk, 'call'>,
  jws: string,
  purpose: string,
): Promise<Record<string, unknown>> {
  const { body } = await desk.call('GET', '/.well-known/jwks.json', undefined, null);
  const { kid, alg } = headerOf(jws);
  const key = (body.keys as (JWK & { purpose: string })[]).find((one) => one.kid === kid);
  if (key === undefined || key.purpose !== purpose)
    throw new Error(`no ${purpose} key ${String(kid)}`);
  await compactVerify(jws, await importJWK(key, String(alg)));
  return claimsOf(jws);
}

/** The value of a place on the list that is served now. */
export async function valueAt(
  desk: Pick<Desk, 'call' | 'origin'>,
  slot: WireSlot,
): Promise<number> {
  const { claims } = await readList(desk, slot.uri);
  return placeIn(claims, slot.idx);
}

export function placeIn(claims: Record<string, unknown>, index: number): number {
  const { lst } = claims['status_list'] as { lst: string };
  const bytes = inflateSync(Buffer.from(lst, 'base64url'));
  return ((bytes[Math.floor(index / 4)] ?? 0) >> ((index % 4) * 2)) & 3;
}

export async function readList(desk: Pick<Desk, 'call' | 'origin'>, uri: string) {
  const answer = await desk.call('GET', uri.slice(desk.origin.length), undefined, null);
  if (answer.status !== 200) throw new Error(answer.text);
  return { answer, claims: await verified(desk, answer.text, 'status_list') };
}
