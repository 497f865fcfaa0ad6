import { err, ok, parseStrictJson, type Result } from '../kernel/index.js';
import { decodeBase64url } from './base64url.js';
import { fault, type ProofFault } from './fault.js';
import { SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from './jwk.js';

/** Longest compact token we read, in characters; a native mandate has about 1,000. */
export const TOKEN_LENGTH_MAX = 16_384;
/** Longest protected header, in characters of base64url. */
export const HEADER_LENGTH_MAX = 1_024;
/** Longest key id, in characters. */
export const KEY_ID_LENGTH_MAX = 128;
/** Both algorithms sign with 64 bytes (RFC 7518 section 3.4, RFC 8037 section 3.1). */
export const SIGNATURE_BYTES = 64;

export interface ProtectedHeader {
  readonly alg: SignatureAlgorithm;
  readonly kid: string | null;
  readonly typ: string | null;
}

/**
 * A JWS of which only the form was read. NOT yet verified: the caller finds the key by issuer and kid, compares
 * `header.alg` with that key's algorithm and verifies `signature` over `signingInput`.
 */
export interface UncheckedJws {
  readonly header: ProtectedHeader;
  readonly signingInput: string;
  readonly signature: Buffer;
}

export interface UncheckedToken extends UncheckedJws {
  readonly claims: Readonly<Record<string, unknown>>;
}

/** What a kind of token may carry as `typ` (RFC 8725 section 3.11), compared without letter case; null = absent is allowed. */
export type TypPolicy = readonly (string | null)[];

/**
 * Reads a compact JWS whose payload is a JSON object (RFC 7515 section 3.1, RFC 7519).
 * Faults, in order: shape (longer than `lengthMax`, not three parts, not strict base64url, header or
 * payload not an object in strict JSON: duplicate members, lone surrogates and deep nesting included), algorithm
 * (`none`, HMAC, RSA and whatever else is not ES256 or EdDSA), shape (a header member other than alg, kid, typ:
 * jku, jwk, x5u, x5c, crit, b64 among them; kid absent or too long; wrong typ), signature (not 64 bytes).
 */
export function parseToken(
  token: string,
  typs: TypPolicy,
  lengthMax = TOKEN_LENGTH_MAX,
): Result<UncheckedToken, ProofFault> {
  if (token.length > lengthMax)
    return err(fault('shape', null, `a token has at most ${lengthMax} characters`));
  const [encodedHeader, encodedPayload, encodedSignature, ...rest] = token.split('.');
  if (
    encodedHeader === undefined ||
    encodedPayload === undefined ||
    encodedSignature === undefined ||
    rest.length > 0
  )
    return err(fault('shape', null, 'a token has three parts separated by points'));
  const header = parseHeader(encodedHeader, typs);
  if (!header.ok) return header;
  const claims = parseObject(encodedPayload);
  if (claims === null)
    return err(fault('shape', null, 'the payload is no base64url of an object in strict JSON'));
  const signature = parseSignature(encodedSignature);
  if (!signature.ok) return signature;
  return ok({
    header: header.value,
    claims,
    signingInput: `${encodedHeader}.${encodedPayload}`,
    signature: signature.value,
  });
}

/**
 * Reads a detached JWS `header..signature` (RFC 7515 appendix F) over `content`, whose UTF-8 bytes are the payload.
 * Faults as {@link parseToken}, without those of the payload.
 */
export function parseDetachedJws(jws: string, content: string): Result<UncheckedJws, ProofFault> {
  const [encodedHeader, between, encodedSignature, ...rest] = jws.split('.');
  if (
    jws.length > TOKEN_LENGTH_MAX ||
    encodedHeader === undefined ||
    encodedHeader === '' ||
    between !== '' ||
    encodedSignature === undefined ||
    rest.length > 0
  )
    return err(
      fault('signature', 'signature', 'it is no detached JWS of the form header..signature'),
    );
  const header = parseHeader(encodedHeader, DETACHED_TYPS);
  if (!header.ok) return header;
  const signature = parseSignature(encodedSignature);
  if (!signature.ok) return signature;
  const signingInput = `${encodedHeader}.${Buffer.from(content, 'utf8').toString('base64url')}`;
  return ok({ header: header.value, signingInput, signature: signature.value });
}

/** `typ` of an artifact's detached signature; optional. */
const DETACHED_TYPS: TypPolicy = ['artifact+jws', null];

const HEADER_MEMBERS: ReadonlySet<string> = new Set(['alg', 'kid', 'typ']);

function parseHeader(encoded: string, typs: TypPolicy): Result<ProtectedHeader, ProofFault> {
  const members = encoded.length > HEADER_LENGTH_MAX ? null : parseObject(encoded);
  if (members === null)
    return err(
      fault('shape', 'header', 'the protected header is no base64url of an object in strict JSON'),
    );
  const { alg, kid, typ } = members;
  if (!isAlgorithm(alg))
    return err(
      fault('algorithm', 'header.alg', `only ${SIGNATURE_ALGORITHMS.join(' and ')} are verified`),
    );
  const foreign = Object.keys(members).find((member) => !HEADER_MEMBERS.has(member));
  if (foreign !== undefined)
    return err(fault('shape', `header.${foreign}`, 'a header has no members but alg, kid and typ'));
  if (
    kid !== undefined &&
    (typeof kid !== 'string' || kid === '' || kid.length > KEY_ID_LENGTH_MAX)
  )
    return err(fault('shape', 'header.kid', `a key id has 1 to ${KEY_ID_LENGTH_MAX} characters`));
  const named = typeof typ === 'string' ? typ.toLowerCase() : null;
  if ((typ !== undefined && named === null) || !typs.includes(named))
    return err(
      fault(
        'shape',
        'header.typ',
        `typ has to be ${typs.map((one) => one ?? 'absent').join(' or ')}`,
      ),
    );
  return ok({ alg, kid: kid ?? null, typ: named });
}

const isAlgorithm = (alg: unknown): alg is SignatureAlgorithm =>
  (SIGNATURE_ALGORITHMS as readonly unknown[]).includes(alg);

function parseSignature(encoded: string): Result<Buffer, ProofFault> {
  const signature = decodeBase64url(encoded);
  return signature?.length === SIGNATURE_BYTES
    ? ok(signature)
    : err(fault('signature', 'signature', `a signature is base64url of ${SIGNATURE_BYTES} bytes`));
}

function parseObject(encoded: string): Readonly<Record<string, unknown>> | null {
  const bytes = decodeBase64url(encoded);
  if (bytes === null) return null;
  const text = bytes.toString('utf8');
  // Bytes that are no UTF-8 would be replaced silently; what was signed has to be what is read.
  if (!Buffer.from(text, 'utf8').equals(bytes)) return null;
  const parsed = parseStrictJson(text);
  if (!parsed.ok) return null;
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return value as Readonly<Record<string, unknown>>;
}
