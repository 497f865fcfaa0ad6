import { AgentCard, canonicalizeAgentCard } from '@a2a-js/sdk';
import { createHash } from 'node:crypto';
import type { Signer, SigningKeys } from '../../base/keys/index.js';
import type { Origins, Tenants } from '../../base/tenants/index.js';
import {
  type CanonicalValue,
  canonicalize,
  ok,
  type Problem,
  type Result,
} from '../../core/kernel/index.js';
import { cardOf, servedCard } from './card.js';

export interface SignedCard {
  readonly text: string;
  /** Of the text; a card changes with the service, the shop's name and its key. */
  readonly etag: string;
}

/** Agent cards, signed by the tenant's `card` key (JWS over RFC 8785, A2A specification section 8.4). */
export class SignedCards {
  constructor(
    private readonly parts: {
      readonly origins: Origins;
      readonly tenants: Tenants;
      readonly signingKeys: SigningKeys;
    },
  ) {}

  /**
   * Two signatures: over the card of version 1.0, in the form to which clients bring whatever they read, and over all that is
   * served, for whoever canonicalises the bytes as they came. Problems, in order: misdirected_request, not_found,
   * unavailable (the key does not open).
   */
  async read(host: string): Promise<Result<SignedCard, Problem>> {
    const { origins, tenants, signingKeys } = this.parts;
    const site = await origins.siteByHost(host);
    if (!site.ok) return site;
    const { tenantId, origin } = site.value;
    const tenant = await tenants.get(tenantId);
    if (!tenant.ok) return tenant;
    const signer = await signingKeys.signer(tenantId, 'card');
    if (!signer.ok) return signer;
    const card = cardOf({ origin, name: tenant.value.name });
    const served = servedCard(card, { origin });
    const jku = `${origin}/.well-known/jwks.json`;
    const signatures = [
      signatureOf(canonicalizeAgentCard(AgentCard.toJSON(card) as AgentCard), {
        signer: signer.value,
        jku,
      }),
      signatureOf(canonicalize(filled(served) ?? {}), { signer: signer.value, jku }),
    ];
    const text = JSON.stringify({ ...served, signatures });
    const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
    return ok({ text, etag });
  }
}

function signatureOf(payload: string, { signer, jku }: { signer: Signer; jku: string }) {
  const header = { alg: signer.algorithm, typ: 'JOSE', kid: signer.kid, jku };
  const encode = (text: string) => Buffer.from(text).toString('base64url');
  const signedText = `${encode(JSON.stringify(header))}.${encode(payload)}`;
  return {
    protected: encode(JSON.stringify(header)),
    signature: signer.sign(Buffer.from(signedText)).toString('base64url'),
  };
}

/** Empty texts, lists and objects are left out before a card is signed: a reader that fills them in finds the same bytes. */
function filled(value: unknown): CanonicalValue | undefined {
  if (value === '' || value === null || value === undefined) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(filled).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  if (typeof value !== 'object') return value as CanonicalValue;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const kept = filled(member);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
