import { canonicalize, err, type InstantMs, ok, type Result } from '../../kernel/index.js';
import { fault, type ProofFault } from '../fault.js';
import { parsePublicJwk, type VerificationKey } from '../jwk.js';
import type { UncheckedJws } from '../jws.js';
import { MemberReader, type StatusRef } from '../members.js';
import { decodeBase64url } from '../base64url.js';
import { ap2Hash, isList, isObject, parseSdToken, type SdObject, type SdToken } from './sd-jwt.js';

/** Longest presentation, in characters; the examples of the protocol have 2,000 to 4,000. */
export const AP2_LENGTH_MAX = 65_536;
/** Tokens of one presentation: a credential, a few delegations and the closed mandate. */
export const CHAIN_TOKENS_MAX = 8;

/** What a mandate object says it is. Compared exactly (facts/protocols.md 4.3). */
export const AP2_VCTS = {
  'mandate.checkout.1': { family: 'checkout', isOpen: false },
  'mandate.checkout.open.1': { family: 'checkout', isOpen: true },
  'mandate.payment.1': { family: 'payment', isOpen: false },
  'mandate.payment.open.1': { family: 'payment', isOpen: true },
} as const;
export type Ap2Vct = keyof typeof AP2_VCTS;
export type Ap2Family = 'checkout' | 'payment';

/** One mandate object with the token that carried it. */
export interface ChainMandate {
  readonly vct: Ap2Vct;
  readonly object: SdObject;
  readonly token: SdToken;
  /** `iat` of the token or, at the root, of the mandate inside it; null = neither says. */
  readonly issuedAtMs: InstantMs | null;
}

/** A signature that the caller has to check: core/ verifies nothing by itself. */
export interface LinkSignature {
  readonly jws: UncheckedJws;
  readonly key: VerificationKey;
}

export interface Ap2Chain {
  readonly text: string;
  readonly family: Ap2Family;
  /** The root: its key is looked up by `issuer` (null = the token names none) and `kid`. */
  readonly root: {
    readonly token: SdToken;
    readonly issuer: string | null;
    readonly kid: string;
    readonly subject: string | null;
    /** A user credential (its own key delegates) rather than a mandate signed by a provider. */
    readonly isCredential: boolean;
    readonly issuedAtMs: InstantMs | null;
    /** The digest of what the root's signer signed: the same whatever is disclosed and however it is signed again. */
    readonly contentHash: string;
    /** A place on a list of the issuer's own, asked beside the one of the registration. */
    readonly ownStatus: StatusRef | null;
  };
  readonly opens: readonly ChainMandate[];
  /** Null: nothing but an open mandate, which can be registered and authorises no purchase by itself. */
  readonly closed: ChainMandate | null;
  readonly links: readonly LinkSignature[];
  /** Audiences and nonces of every key-bound token, in order. */
  readonly bindings: readonly { readonly audiences: readonly string[]; readonly nonce: string }[];
  /** The latest beginning and the earliest end that any token or mandate names; null = none does. */
  readonly notBeforeAtMs: InstantMs | null;
  readonly expiresAtMs: InstantMs | null;
}

/** The buyer was asked about this very purchase: no `.open.` anywhere (facts/protocols.md 4.4). Necessary, not sufficient. */
export const isHumanPresent = (chain: Pick<Ap2Chain, 'opens' | 'closed'>): boolean =>
  chain.closed !== null && chain.opens.length === 0;

/** `typ` of whatever an issuer signs: any media type of SD-JWTs, but no key binding. */
export const ROOT_TYP = /^(?!kb)[a-z0-9][a-z0-9.-]{0,63}\+sd-jwt$/;
const TERMINAL_TYPS = ['kb+sd-jwt', 'kb-sd-jwt'] as const;
const INTERMEDIATE_TYPS = ['kb+sd-jwt+kb'] as const;

const shape = (member: string | null, detail: string): Result<never, ProofFault> =>
  err(fault('shape', member, detail));

/**
 * Reads a delegate SD-JWT presentation (facts/protocols.md 4.3.3): tokens joined by `~~`, of which each but the last has
 * its `~` put back. Faults, in order, token by token: shape (length, number of tokens), those of {@link parseSdToken} with
 * the `typ` of its place (the last one terminal, never an intermediate one), shape (mandate object, vct, cnf present in
 * an intermediate and absent in a terminal token, iat, aud, nonce), signature (`sd_hash` or `issuer_jwt_hash`, exactly
 * one, of the token before).
 * Not checked: every signature ({@link Ap2Chain.root}, {@link Ap2Chain.links}), times against a clock, audience, nonce.
 */
export function parseAp2Chain(text: string): Result<Ap2Chain, ProofFault> {
  if (text.length > AP2_LENGTH_MAX)
    return shape(null, `a presentation has at most ${AP2_LENGTH_MAX} characters`);
  const parts = text.split('~~');
  if (parts.length > CHAIN_TOKENS_MAX)
    return shape(null, `a presentation has at most ${CHAIN_TOKENS_MAX} tokens`);
  const [rootText = '', ...rest] = parts.map((part, index) =>
    index < parts.length - 1 ? `${part}~` : part,
  );
  const root = readRoot(rootText);
  if (!root.ok) return root;
  const links: Link[] = [];
  let previous: Holder = root.value;
  for (const [index, linkText] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const link = readLink(linkText, previous, isLast);
    if (!link.ok) return link;
    links.push(link.value);
    previous = link.value;
  }
  return assemble(text, root.value, links);
}

/** Whoever may sign the next token. */
interface Holder {
  readonly token: SdToken;
  readonly mandate: ChainMandate | null;
  readonly key: VerificationKey | null;
  readonly times: Times;
}

interface Times {
  readonly notBeforeAtMs: InstantMs | null;
  readonly expiresAtMs: InstantMs | null;
}

interface Root extends Holder {
  readonly ownStatus: StatusRef | null;
  readonly issuer: string | null;
  readonly kid: string;
  readonly subject: string | null;
  readonly issuedAtMs: InstantMs | null;
}

interface Link extends Holder {
  readonly signature: LinkSignature;
  readonly audiences: readonly string[];
  readonly nonce: string;
}

function readRoot(text: string): Result<Root, ProofFault> {
  const typ = typOf(text);
  if (typ === null || !ROOT_TYP.test(typ))
    return shape('header.typ', 'the typ of a root is <something>+sd-jwt');
  const token = parseSdToken(text, [typ]);
  if (!token.ok) return token;
  const { kid } = token.value.jws.header;
  if (kid === null) return shape('header.kid', 'a root names the key of its issuer');
  const { payload } = token.value;
  const read = new MemberReader(payload);
  const issuer = read.optionalText('iss');
  const subject = read.optionalText('sub');
  const issuedAtMs = read.has('iat') ? read.seconds('iat') : null;
  const ownStatus = read.raw('status') === undefined ? null : read.status();
  if (read.fault !== null) return err(read.fault);
  const mandate = readMandate(token.value, issuedAtMs);
  if (!mandate.ok) return mandate;
  const holder = readHolder(token.value, mandate.value);
  if (!holder.ok) return holder;
  if (mandate.value === null && holder.value.key === null)
    return shape('cnf', 'a credential that delegates names the key of its holder');
  return ok({
    ...holder.value,
    issuer,
    kid,
    subject,
    ownStatus,
    issuedAtMs: mandate.value?.issuedAtMs ?? issuedAtMs,
  });
}

function readLink(text: string, previous: Holder, isLast: boolean): Result<Link, ProofFault> {
  const { key } = previous;
  if (key === null) return shape('cnf', 'the token before names no key for this one');
  const token = parseSdToken(text, isLast ? TERMINAL_TYPS : INTERMEDIATE_TYPS);
  if (!token.ok) return token;
  const { payload, jws } = token.value;
  const read = new MemberReader(payload);
  const issuedAtMs = read.seconds('iat');
  const audiences = typeof read.raw('aud') === 'string' ? [read.text('aud')] : read.texts('aud');
  const nonce = read.text('nonce');
  if (read.fault !== null) return err(read.fault);
  const bound = hashFault(payload, previous.token);
  if (bound !== null) return err(bound);
  const mandate = readMandate(token.value, issuedAtMs);
  if (!mandate.ok) return mandate;
  if (mandate.value === null)
    return shape('delegate_payload', 'a key-bound token carries a mandate');
  const holder = readHolder(token.value, mandate.value);
  if (!holder.ok) return holder;
  if (isLast && holder.value.key !== null)
    return shape('cnf', 'the last token names no further key');
  if (!isLast && holder.value.key === null)
    return shape('cnf', 'a token between names the key of the next one');
  return ok({ ...holder.value, signature: { jws, key }, audiences, nonce });
}

/** The `typ` of a compact token in lower case, before anything else of it is believed. */
export function typOf(text: string): string | null {
  const bytes = decodeBase64url(text.split('.', 1)[0] ?? '');
  if (bytes === null) return null;
  try {
    const header = JSON.parse(bytes.toString('utf8')) as { readonly typ?: unknown } | null;
    return typeof header?.typ === 'string' ? header.typ.toLowerCase() : null;
  } catch {
    return null;
  }
}

/** INVARIANT: exactly one of the two hashes binds a token to the one before, so nobody moves it behind another. */
function hashFault(payload: SdObject, previous: SdToken): ProofFault | null {
  const has = (member: string): boolean => payload[member] !== undefined;
  if (has('sd_hash') === has('issuer_jwt_hash'))
    return fault('shape', 'sd_hash', 'exactly one of sd_hash and issuer_jwt_hash is needed');
  const matches = has('sd_hash')
    ? payload['sd_hash'] === ap2Hash(previous.text)
    : payload['issuer_jwt_hash'] === ap2Hash(previous.issuerJwt);
  return matches
    ? null
    : fault('signature', 'sd_hash', 'it binds another token than the one before');
}

/** The one mandate object of a token; null = it has no `delegate_payload`, so it is a user credential. */
function readMandate(
  token: SdToken,
  issuedAtMs: InstantMs | null,
): Result<ChainMandate | null, ProofFault> {
  const list = token.payload['delegate_payload'];
  if (list === undefined) return ok(null);
  const [object, ...others] = isList(list) ? list : [];
  if (!isObject(object) || others.length > 0)
    return shape('delegate_payload', 'a token carries one mandate object, and it is disclosed');
  const { vct } = object;
  if (!isVct(vct)) return shape('vct', `one of ${Object.keys(AP2_VCTS).join(', ')} is needed`);
  const read = new MemberReader(object, 'mandate.');
  const own = read.has('iat') ? read.seconds('iat') : null;
  if (read.fault !== null) return err(read.fault);
  return ok({ vct, object, token, issuedAtMs: issuedAtMs ?? own });
}

const isVct = (vct: unknown): vct is Ap2Vct =>
  typeof vct === 'string' && Object.hasOwn(AP2_VCTS, vct);

/** Key and times of a token: each may stand beside the mandate and inside it; a key in both places is the same key. */
function readHolder(token: SdToken, mandate: ChainMandate | null): Result<Holder, ProofFault> {
  const places = [
    new MemberReader(token.payload),
    ...(mandate === null ? [] : [new MemberReader(mandate.object, 'mandate.')]),
  ];
  const keys: VerificationKey[] = [];
  const begins: InstantMs[] = [];
  const ends: InstantMs[] = [];
  for (const place of places) {
    for (const member of ['iat', 'nbf']) if (place.has(member)) begins.push(place.seconds(member));
    if (place.has('exp')) ends.push(place.seconds('exp'));
    if (place.raw('cnf') !== undefined) {
      const key = parsePublicJwk(place.object('cnf').raw('jwk'));
      if (key.ok) keys.push(key.value);
      else place.fail('cnf.jwk', `this is no usable public key: ${key.error}`);
    }
    if (place.fault !== null) return err(place.fault);
  }
  const [key = null, second] = keys;
  if (second !== undefined && second.thumbprint !== key?.thumbprint)
    return shape('cnf', 'the token names two keys');
  const times = {
    notBeforeAtMs: begins.length === 0 ? null : Math.max(...begins),
    expiresAtMs: ends.length === 0 ? null : Math.min(...ends),
  };
  return ok({ token, mandate, key, times });
}

/** One family, open mandates above the closed one, nothing below it. */
function assemble(text: string, root: Root, links: readonly Link[]): Result<Ap2Chain, ProofFault> {
  const holders: readonly Holder[] = [root, ...links];
  const mandates = holders.flatMap(({ mandate }) => mandate ?? []);
  const [first] = mandates;
  if (first === undefined) return shape('delegate_payload', 'nothing here is a mandate');
  const { family } = AP2_VCTS[first.vct];
  if (mandates.some(({ vct }) => AP2_VCTS[vct].family !== family))
    return shape('vct', 'checkout and payment mandates are never of one chain');
  const opens = mandates.filter(({ vct }) => AP2_VCTS[vct].isOpen);
  const closedOnes = mandates.filter(({ vct }) => !AP2_VCTS[vct].isOpen);
  const [closed = null, another] = closedOnes;
  if (another !== undefined || (closed !== null && closed !== mandates.at(-1)))
    return shape('vct', 'a closed mandate is the last of its chain');
  if (closed === null && links.length > 0)
    return shape('vct', 'a chain ends with a closed mandate');
  if (closed !== null && links.length === 0 && root.key !== null)
    return shape('cnf', 'a closed mandate delegates nothing');
  if (closed === null && root.key === null)
    return shape('cnf', 'an open mandate names the key that may close it');
  const all = holders.map(({ times }) => times);
  const begins = all.flatMap(({ notBeforeAtMs }) => notBeforeAtMs ?? []);
  const ends = all.flatMap(({ expiresAtMs }) => expiresAtMs ?? []);
  const { token, issuer, kid, subject, issuedAtMs, ownStatus } = root;
  return ok({
    text,
    family,
    root: {
      token,
      issuer,
      kid,
      subject,
      issuedAtMs,
      ownStatus,
      isCredential: root.mandate === null,
      contentHash: contentHashOf(token, first),
    },
    opens,
    closed,
    links: links.map(({ signature }) => signature),
    bindings: links.map(({ audiences, nonce }) => ({ audiences, nonce })),
    notBeforeAtMs: begins.length === 0 ? null : Math.max(...begins),
    expiresAtMs: ends.length === 0 ? null : Math.min(...ends),
  });
}

/**
 * INVARIANT: counters go by what was signed, not by how it is spelled. An ECDSA signature has a second valid spelling
 * that anybody can compute, and whoever presents chooses what to disclose: neither gives a mandate a new name. Below a
 * credential the mandate that the holder signed counts, for a credential serves many mandates.
 */
function contentHashOf(root: SdToken, first: ChainMandate): string {
  const { signingInput } = first.token.jws;
  return ap2Hash(canonicalize([root.jws.signingInput, signingInput]));
}
