import { type InstantMs, ok, type Result } from '../../kernel/index.js';
import type { ProofFault } from '../fault.js';
import type { UncheckedJws } from '../jws.js';
import { parseAp2Chain, type LinkSignature, typOf } from './chain.js';
import type { ConstraintFinding } from './constraints.js';
import {
  type Ap2Mandate,
  type BuyerMandate,
  buyerMandateOf,
  judgeAp2,
  mayRecur,
  readAp2Mandate,
} from './mandate.js';
import type { StatusRef } from '../members.js';
import { registeredSha256 } from './registration.js';
import { parseV01, type V01Purchase } from './v01.js';

/** What of an AP2 object a verifier with keys has to check: nothing of it was. */
export interface Ap2Proof {
  readonly root: {
    readonly issuer: string | null;
    readonly kid: string;
    /** A user credential: its issuer vouches for a holder, not for the mandate. */
    readonly isCredential: boolean;
    readonly jws: UncheckedJws;
    readonly issuedAtMs: InstantMs | null;
    readonly ownStatus: StatusRef | null;
  };
  readonly links: readonly LinkSignature[];
  /** By the tenant's own `ucp` key. */
  readonly merchantJws: readonly UncheckedJws[];
  readonly bindings: readonly { readonly audiences: readonly string[]; readonly nonce: string }[];
}

export interface Ap2Object {
  readonly text: string;
  readonly proof: Ap2Proof;
  readonly subject: string | null;
  /** Digests under one of which it may be registered: of the whole presentation, or of its root alone. */
  readonly registrable: readonly string[];
  readonly content:
    | { readonly version: '0.2'; readonly mandate: Ap2Mandate }
    | { readonly version: '0.1'; readonly purchase: V01Purchase };
}

/**
 * Whether a named thing is an AP2 object rather than an id or a native token: a JSON object, a chain, or an SD-JWT with
 * disclosures (a native mandate has at most one `~`).
 */
export const isAp2Text = (text: string): boolean =>
  text.startsWith('{') ||
  text.includes('~~') ||
  (text.split('~').length > 2 && typOf(text) !== 'mandate+jwt');

/** Reads an object of either version (facts/protocols.md 4.1): told apart by data keys and `vct`. Faults: those of its reader. */
export function parseAp2Object(text: string): Result<Ap2Object, ProofFault> {
  if (text.startsWith('{')) {
    const read = parseV01(text);
    return read.ok ? ok(objectOfV01(read.value)) : read;
  }
  const chain = parseAp2Chain(text);
  if (!chain.ok) return chain;
  const mandate = readAp2Mandate(chain.value);
  return mandate.ok ? ok(objectOfMandate(mandate.value)) : mandate;
}

function objectOfMandate(mandate: Ap2Mandate): Ap2Object {
  const { chain } = mandate;
  const { issuer, kid, isCredential, token, issuedAtMs, ownStatus, subject } = chain.root;
  const checkout = mandate.family === 'checkout' ? mandate.checkout : null;
  return {
    text: chain.text,
    subject,
    proof: {
      root: { issuer, kid, isCredential, jws: token.jws, issuedAtMs, ownStatus },
      links: chain.links,
      merchantJws: checkout === null ? [] : [checkout.jws],
      bindings: chain.bindings,
    },
    registrable: [...new Set([chain.text, token.text].map(registeredSha256))],
    content: { version: '0.2', mandate },
  };
}

function objectOfV01(purchase: V01Purchase): Ap2Object {
  const { issuer, kid, token, issuedAtMs, ownStatus, subject } = purchase.root;
  return {
    text: purchase.text,
    subject,
    proof: {
      root: { issuer, kid, isCredential: true, jws: token.jws, issuedAtMs, ownStatus },
      links: [purchase.link],
      merchantJws: [purchase.merchantJws],
      bindings: [purchase.binding],
    },
    registrable: [registeredSha256(purchase.text)],
    content: { version: '0.1', purchase },
  };
}

/** What one object gives a purchase: its mandates in the one internal form, and what is wrong with its constraints. */
export interface Ap2Judged {
  readonly mandates: readonly BuyerMandate[];
  readonly finding: ConstraintFinding | null;
}

/** Judges the objects of one purchase together; the answers stand in the order asked. */
export function judgeAp2Objects(
  objects: readonly Ap2Object[],
  atMs: InstantMs,
): readonly Ap2Judged[] {
  const chains = objects.flatMap(({ content }) =>
    content.version === '0.2' ? [content.mandate] : [],
  );
  const findings = judgeAp2(chains, atMs);
  return objects.map(({ content }) => {
    if (content.version === '0.1') return judgedV01(content.purchase);
    const { mandate } = content;
    const buyer = buyerMandateOf(mandate, isRepeatable(mandate, chains));
    return {
      mandates: buyer === null ? [] : [buyer],
      finding: findings[chains.indexOf(mandate)] ?? null,
    };
  });
}

/** INVARIANT: a checkout is repeatable only where every payment that names it is; without one it is not. */
function isRepeatable(mandate: Ap2Mandate, chains: readonly Ap2Mandate[]): boolean {
  if (mandate.family === 'payment') return mayRecur(mandate);
  const payments = chains.filter(
    (one) => one.family === 'payment' && one.transactionId === mandate.checkoutHash,
  );
  return payments.length > 0 && payments.every(mayRecur);
}

function judgedV01(purchase: V01Purchase): Ap2Judged {
  const { cartRef, paymentRef, merchantId, total, cartHash, finding, root } = purchase;
  const { notBeforeAtMs, expiresAtMs, issuedAtMs } = purchase;
  const common = {
    subject: root.subject,
    payee: merchantId,
    cap: total,
    presence: 'present',
    notBeforeAtMs,
    expiresAtMs,
    issuedAtMs,
    intents: [],
  } as const;
  return {
    mandates: [
      { ...common, kind: 'cart', cartHash, oneTimeRef: cartRef },
      { ...common, kind: 'payment', cartHash: null, oneTimeRef: paymentRef },
    ],
    finding,
  };
}
