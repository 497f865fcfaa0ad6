import { createHash } from 'node:crypto';
import { type DecimalJson, err, ok, parseDecimalJson, type Result } from '../../kernel/index.js';
import { decodeBase64url } from '../base64url.js';
import { fault, type ProofFault } from '../fault.js';
import { parseToken, type TypPolicy, type UncheckedToken } from '../jws.js';

/** Disclosures behind one token; the largest example of the protocol has three. */
export const DISCLOSURES_MAX = 128;
/** Longest disclosure, in characters of base64url: a signed checkout of a hundred lines fits. */
export const DISCLOSURE_LENGTH_MAX = 32_768;
/** Levels of disclosures within disclosures, objects and arrays. */
export const SD_DEPTH_MAX = 24;
/** The one digest (RFC 9901 section 4.1.1); absent means the same. */
export const SD_ALGORITHM = 'sha-256';

export type SdObject = Readonly<Record<string, DecimalJson>>;

/** One SD-JWT with everything that was disclosed put in its place. NOT yet verified: see {@link UncheckedToken}. */
export interface SdToken {
  /** The whole token with its disclosures and the last `~`: what `sd_hash` and a reference are made of. */
  readonly text: string;
  /** The issuer-signed part alone. */
  readonly issuerJwt: string;
  readonly jws: UncheckedToken;
  readonly payload: SdObject;
}

/** `sd_hash`, `issuer_jwt_hash`, `checkout_hash`: base64url SHA-256 over the ASCII bytes. */
export const ap2Hash = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('base64url');

/**
 * Reads `<jwt>~<disclosure>~...~` and resolves its disclosures (RFC 9901 section 7.1). Faults, in order: shape (no last
 * `~`, too many or too long disclosures), those of {@link parseToken}, shape (`_sd_alg` other than sha-256; a disclosure
 * that is no strict JSON array of two or three; the same disclosure or digest twice; a disclosure that nothing refers
 * to; a member disclosed into an object that has it; `_sd`, `_sd_alg` or `...` where they mean nothing; nesting).
 * INVARIANT: what is not disclosed is not there. A digest without a disclosure is dropped and never read as "anything".
 */
export function parseSdToken(text: string, typs: TypPolicy): Result<SdToken, ProofFault> {
  const [issuerJwt = '', ...rest] = text.split('~');
  const encoded = rest.slice(0, -1);
  if (rest.at(-1) !== '') return shape(null, 'an SD-JWT ends with ~ behind its last disclosure');
  if (encoded.length > DISCLOSURES_MAX)
    return shape(null, `a token has at most ${DISCLOSURES_MAX} disclosures`);
  const jws = parseToken(issuerJwt, typs);
  if (!jws.ok) return jws;
  const { _sd_alg: algorithm, ...claims } = jws.value.claims as SdObject;
  if (algorithm !== undefined && algorithm !== SD_ALGORITHM)
    return shape('_sd_alg', `the digest is ${SD_ALGORITHM}`);
  const disclosures = readDisclosures(encoded);
  if (!disclosures.ok) return disclosures;
  const resolver = new Resolver(disclosures.value);
  const payload = resolver.resolve(claims);
  if (resolver.fault !== null) return err(resolver.fault);
  return ok({ text, issuerJwt, jws: jws.value, payload: payload as SdObject });
}

const shape = (member: string | null, detail: string): Result<never, ProofFault> =>
  err(fault('shape', member, detail));

/** `name` null: an element of an array. */
interface Disclosure {
  readonly name: string | null;
  readonly value: DecimalJson;
}

function readDisclosures(
  encoded: readonly string[],
): Result<ReadonlyMap<string, Disclosure>, ProofFault> {
  const byDigest = new Map<string, Disclosure>();
  for (const one of encoded) {
    const disclosure = readDisclosure(one);
    if (disclosure === null)
      return shape(
        'disclosure',
        'a disclosure is base64url of [salt, value] or [salt, name, value]',
      );
    const digest = ap2Hash(one);
    if (byDigest.has(digest)) return shape('disclosure', 'a disclosure stands there twice');
    byDigest.set(digest, disclosure);
  }
  return ok(byDigest);
}

const NEVER_NAMES: readonly DecimalJson[] = ['_sd', '_sd_alg', '...'];

function readDisclosure(encoded: string): Disclosure | null {
  if (encoded.length > DISCLOSURE_LENGTH_MAX) return null;
  const bytes = decodeBase64url(encoded);
  if (bytes === null) return null;
  const text = bytes.toString('utf8');
  // Bytes that are no UTF-8 would be replaced silently; what was signed has to be what is read.
  if (!Buffer.from(text, 'utf8').equals(bytes)) return null;
  const parsed = parseDecimalJson(text);
  if (!parsed.ok || !Array.isArray(parsed.value)) return null;
  const parts = parsed.value as readonly DecimalJson[];
  const [salt, second, third] = parts;
  if (typeof salt !== 'string') return null;
  if (parts.length === 2 && second !== undefined) return { name: null, value: second };
  if (parts.length !== 3 || typeof second !== 'string' || third === undefined) return null;
  return NEVER_NAMES.includes(second) || second === '__proto__'
    ? null
    : { name: second, value: third };
}

/** Puts disclosures in their places and remembers the first thing that does not fit. */
class Resolver {
  fault: ProofFault | null = null;
  readonly #seen = new Set<string>();
  readonly #open: Map<string, Disclosure>;

  constructor(disclosures: ReadonlyMap<string, Disclosure>) {
    this.#open = new Map(disclosures);
  }

  resolve(claims: SdObject): DecimalJson {
    const resolved = this.#walk(claims, 0);
    if (this.#open.size > 0) this.#fail('nothing refers to one of the disclosures');
    return resolved;
  }

  #fail(detail: string): void {
    this.fault ??= fault('shape', 'disclosure', detail);
  }

  #walk(value: DecimalJson, depth: number): DecimalJson {
    if (depth > SD_DEPTH_MAX) this.#fail(`disclosures nest at most ${SD_DEPTH_MAX} levels`);
    if (this.fault !== null) return null;
    if (isList(value)) return value.flatMap((item) => this.#element(item, depth));
    return isObject(value) ? this.#object(value, depth) : value;
  }

  #element(item: DecimalJson, depth: number): readonly DecimalJson[] {
    if (!isObject(item) || !Object.hasOwn(item, '...')) return [this.#walk(item, depth + 1)];
    const digest = item['...'];
    if (Object.keys(item).length !== 1 || typeof digest !== 'string') {
      this.#fail('{"...": digest} stands alone');
      return [];
    }
    const found = this.#take(digest);
    if (found === null) return [];
    if (found.name !== null) this.#fail('a member is disclosed as an element');
    return [this.#walk(found.value, depth + 1)];
  }

  #object(value: SdObject, depth: number): SdObject {
    const { _sd: digests = [], ...members } = value;
    if (Object.hasOwn(members, '_sd_alg')) this.#fail('_sd_alg stands at the top only');
    if (Object.hasOwn(members, '...')) this.#fail('"..." stands in an array only');
    if (!isTexts(digests)) {
      this.#fail('_sd is a list of digests');
      return members;
    }
    const resolved: Record<string, DecimalJson> = {};
    for (const [name, member] of Object.entries(members))
      resolved[name] = this.#walk(member, depth + 1);
    for (const digest of digests) {
      const found = this.#take(digest);
      if (found === null) continue;
      if (found.name === null) this.#fail('an element is disclosed as a member');
      else if (Object.hasOwn(resolved, found.name)) this.#fail('a member is disclosed twice');
      else resolved[found.name] = this.#walk(found.value, depth + 1);
    }
    return resolved;
  }

  /** Null: it is not disclosed. */
  #take(digest: string): Disclosure | null {
    if (this.#seen.has(digest)) this.#fail('a digest stands there twice');
    this.#seen.add(digest);
    const found = this.#open.get(digest) ?? null;
    this.#open.delete(digest);
    return found;
  }
}

export const isList = (value: DecimalJson | undefined): value is readonly DecimalJson[] =>
  Array.isArray(value);

/** A plain object: neither an array nor a decimal number. */
export const isObject = (value: DecimalJson | undefined): value is SdObject =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.getPrototypeOf(value) === Object.prototype;

const isTexts = (value: DecimalJson): value is readonly string[] =>
  isList(value) && value.every((one) => typeof one === 'string');
