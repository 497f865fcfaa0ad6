import { createHash } from 'node:crypto';
import { type CanonicalValue, err, ok, parseStrictJson, type Result } from '../../kernel/index.js';
import type { PublicJwk, SignatureAlgorithm } from '../jwk.js';

/**
 * A decision receipt: a signed statement about one decision, and the proof that its ledger entry stands under a
 * checkpoint that others cosigned. Whoever holds it needs nobody to check it.
 */
export const RECEIPT_FORMAT = 'arbiter-receipt';
export const RECEIPT_VERSION = 1;
/** `typ` of the statement's protected header. */
export const RECEIPT_TYP = 'decision-receipt+jwt';

/** Type of the entries that receipts are about. */
const DECISION_ENTRY = 'decision.recorded';

/** What an entry says about its decision, in the words of the wire. */
export interface DecisionClaims {
  /** The decision's id. */
  readonly sub: string;
  readonly flow: string;
  readonly outcome: 'allow' | 'refuse';
  readonly failing_rule: string | null;
  readonly reason: string | null;
  readonly merchant_id: string;
  readonly agent_id: string | null;
  readonly order_id: string | null;
  readonly amount: { readonly amount: string; readonly currency: string };
  readonly ruleset: string;
  readonly decided_at: string;
  readonly dry_run: boolean;
  readonly usable: boolean;
  readonly usable_reason: string | null;
  readonly allow: { readonly cart_hash: string | null; readonly expires_at: string } | null;
}

/**
 * The entry that the statement is about. `mac` and `body_sha256` are null for readers who may not see the entry: without
 * them nobody can try out bodies until one fits the link.
 */
export interface StatedEntry {
  readonly seq: number;
  readonly kid: string;
  readonly prev: string;
  readonly mac: string | null;
  readonly link: string;
  readonly body_sha256: string | null;
}

export interface StatementClaims extends DecisionClaims {
  /** Origin of the ledger's checkpoints: a permanent name that ends with the tenant's id. */
  readonly iss: string;
  readonly tenant_id: string;
  readonly world: 'test' | 'live';
  /** Seconds since 1970, real time. */
  readonly iat: number;
  readonly entry: StatedEntry;
  /** C2SP verifier key of the checkpoint. */
  readonly log_key: string;
  /** Whether a quorum of witnesses under the issuer's policy cosigned the checkpoint. */
  readonly witnessed: boolean;
  /** Those of the cosigners that the issuer runs itself. */
  readonly self_witnesses: readonly string[];
}

/** A sealed entry with everything that is hashed. */
export interface ReceiptEntry {
  readonly seq: number;
  readonly kid: string;
  readonly prev: string;
  readonly mac: string;
  readonly link: string;
  readonly body: string;
}

/** As in the JWK Set of the issuer: exactly these members. */
export type IssuerJwk = PublicJwk & {
  readonly kid: string;
  readonly alg: SignatureAlgorithm;
  readonly use: 'sig';
};

/** The document. */
export interface Receipt {
  readonly format: typeof RECEIPT_FORMAT;
  readonly version: typeof RECEIPT_VERSION;
  /** The claim of the statement, for readers that do not open it. */
  readonly witnessed: boolean;
  /** Compact JWS of {@link StatementClaims}. */
  readonly statement: string;
  readonly entry: ReceiptEntry | null;
  /** C2SP tlog-proof: the entry's place, the path to the root, the checkpoint with its cosignatures. */
  readonly proof: string;
  /** The key of the statement as the issuer says; trust comes from elsewhere. */
  readonly issuer_jwk: IssuerJwk;
}

export const bodySha256 = (body: string): string =>
  createHash('sha256').update(body, 'utf8').digest('hex');

export const statedEntry = (entry: ReceiptEntry, isOpen: boolean): StatedEntry => ({
  seq: entry.seq,
  kid: entry.kid,
  prev: entry.prev,
  mac: isOpen ? entry.mac : null,
  link: entry.link,
  body_sha256: isOpen ? bodySha256(entry.body) : null,
});

/**
 * What a decision's entry says, from the text of its body: the issuer states it and the verifier compares it.
 * Failures: no JSON, another kind of entry, a member that decisions have is not there. Not checked: members that no claim
 * is made of.
 */
export function claimsOfBody(body: string): Result<DecisionClaims, string> {
  const parsed = parseStrictJson(body);
  if (!parsed.ok) return err('the body of the entry is no JSON');
  const at = new Members(parsed.value);
  if (at.member('type') !== DECISION_ENTRY) return err(`the entry is no ${DECISION_ENTRY}`);
  const data = at.of('data');
  const decision = data.of('decision');
  const allow = data.member('allow');
  const claims = {
    sub: data.member('decision_id'),
    flow: decision.member('flow'),
    outcome: decision.member('outcome'),
    failing_rule: decision.member('failing_rule'),
    reason: decision.member('reason'),
    merchant_id: data.member('merchant_id'),
    agent_id: data.member('agent_id'),
    order_id: data.member('order_id'),
    amount: amountOf(data.of('judged')),
    ruleset: decision.member('ruleset'),
    decided_at: at.member('at'),
    dry_run: data.member('dry_run'),
    usable: data.member('usable'),
    usable_reason: data.member('usable_reason'),
    allow:
      allow === null
        ? null
        : {
            cart_hash: data.of('allow').member('cart_hash'),
            expires_at: data.of('allow').member('expires_at'),
          },
  };
  return isDecisionClaims(claims) ? ok(claims) : err('the entry lacks a member of decisions');
}

function amountOf(judged: Members): unknown {
  const facts = judged.of('facts');
  const priced = judged.member('kind') === 'purchase' ? facts.of('cart') : facts;
  const amount = priced.member(
    judged.member('kind') === 'purchase' ? 'total_minor' : 'amount_minor',
  );
  return { amount, currency: priced.member('currency') };
}

/** Looks into JSON of which nothing is known yet; what is not there is undefined. */
class Members {
  constructor(private readonly value: unknown) {}

  member(name: string): unknown {
    const { value } = this;
    return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? (value as Readonly<Record<string, unknown>>)[name]
      : undefined;
  }

  of(name: string): Members {
    return new Members(this.member(name));
  }
}

type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === 'string';
export const isFlag: Check = (value) => typeof value === 'boolean';
export const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
export const oneOf =
  (...words: readonly CanonicalValue[]): Check =>
  (value) =>
    words.includes(value as CanonicalValue);
export const orNull =
  (inner: Check): Check =>
  (value) =>
    value === null || inner(value);
export const listOf =
  (inner: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(inner);

/** An object with exactly these members. */
export const closed =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).length === Object.keys(members).length &&
    Object.entries(members).every(
      ([name, check]) =>
        Object.hasOwn(value, name) && check((value as Readonly<Record<string, unknown>>)[name]),
    );

const decisionMembers = {
  sub: isText,
  flow: isText,
  outcome: oneOf('allow', 'refuse'),
  failing_rule: orNull(isText),
  reason: orNull(isText),
  merchant_id: isText,
  agent_id: orNull(isText),
  order_id: orNull(isText),
  amount: closed({ amount: isText, currency: isText }),
  ruleset: isText,
  decided_at: isText,
  dry_run: isFlag,
  usable: isFlag,
  usable_reason: orNull(isText),
  allow: orNull(closed({ cart_hash: orNull(isText), expires_at: isText })),
};

const isDecisionClaims = closed(decisionMembers) as (value: unknown) => value is DecisionClaims;

export const isStatementClaims = closed({
  ...decisionMembers,
  iss: isText,
  tenant_id: isText,
  world: oneOf('test', 'live'),
  iat: isCount,
  entry: closed({
    seq: isCount,
    kid: isText,
    prev: isText,
    mac: orNull(isText),
    link: isText,
    body_sha256: orNull(isText),
  }),
  log_key: isText,
  witnessed: isFlag,
  self_witnesses: listOf(isText),
}) as (value: unknown) => value is StatementClaims;
