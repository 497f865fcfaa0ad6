import {
  type DecimalJson,
  err,
  type InstantMs,
  type Money,
  ok,
  parseDecimalJson,
  parseInstant,
  type Result,
} from '../../kernel/index.js';
import { fault, type ProofFault } from '../fault.js';
import { parsePublicJwk } from '../jwk.js';
import { parseToken, type UncheckedJws } from '../jws.js';
import { MemberReader, type StatusRef } from '../members.js';
import { minorOfMajor } from './amounts.js';
import { AP2_LENGTH_MAX, type LinkSignature, ROOT_TYP, typOf } from './chain.js';
import type { ConstraintFinding } from './constraints.js';
import { jcsOf } from './jcs.js';
import { ap2Hash, isList, isObject, parseSdToken, type SdObject, type SdToken } from './sd-jwt.js';

/** Data keys of the objects of version 0.1 (facts/protocols.md 4.2). */
export const V01_KEYS = {
  intent: 'ap2.mandates.IntentMandate',
  cart: 'ap2.mandates.CartMandate',
  payment: 'ap2.mandates.PaymentMandate',
} as const;

/** Longest life of a merchant's authorization, in seconds. */
export const MERCHANT_AUTHORIZATION_LIFE_SECONDS_MAX = 900;

/** Objects of one purchase in version 0.1. NOT yet verified: root, links and merchant signature are for the caller. */
export interface V01Purchase {
  readonly text: string;
  readonly root: {
    readonly token: SdToken;
    readonly issuer: string | null;
    readonly kid: string;
    readonly subject: string | null;
    readonly issuedAtMs: InstantMs | null;
    readonly ownStatus: StatusRef | null;
  };
  readonly link: LinkSignature;
  readonly merchantJws: UncheckedJws;
  readonly binding: { readonly audiences: readonly string[]; readonly nonce: string };
  /** `contents.id`: the core hash of the cart, where the merchant is one of ours. */
  readonly cartHash: string;
  readonly merchantId: string;
  readonly total: Money;
  readonly cartRef: string;
  readonly paymentRef: string;
  readonly issuedAtMs: InstantMs;
  readonly notBeforeAtMs: InstantMs;
  readonly expiresAtMs: InstantMs;
  /** What the intent beside it asks for and cannot be shown to be kept. */
  readonly finding: ConstraintFinding | null;
}

const CORE_HASH = /^[0-9a-f]{64}$/;
const KNOWN_KEYS: readonly string[] = Object.values(V01_KEYS);

const shape = (member: string | null, detail: string): Result<never, ProofFault> =>
  err(fault('shape', member, detail));

/**
 * Reads the mandates of version 0.1, one JSON object with their data keys: cart and payment mandate, and an intent beside
 * them. Faults, in order: shape (strict JSON, the keys, an intent alone: version 0.1 signs no intent, so nobody vouches
 * for it), then the cart (contents, `contents.id` the core hash, amounts in major units by their digits,
 * `merchant_authorization` with `cart_hash` over the RFC 8785 text of contents, at most 15 minutes), the payment mandate
 * (the same cart, the same total), and `user_authorization`: an SD-JWT whose holder's `kb+jwt` names exactly the hashes of the
 * cart mandate and of the payment mandate's contents.
 * Not checked: every signature, times against a clock, audience, nonce.
 */
export function parseV01(text: string): Result<V01Purchase, ProofFault> {
  const parsed = text.length > AP2_LENGTH_MAX ? null : parseDecimalJson(text);
  if (parsed === null || !parsed.ok || !isObject(parsed.value))
    return shape(
      null,
      `an object in strict JSON of at most ${AP2_LENGTH_MAX} characters is needed`,
    );
  const bundle = parsed.value;
  const foreign = Object.keys(bundle).find((key) => !KNOWN_KEYS.includes(key));
  if (foreign !== undefined) return shape(foreign, `there are only ${KNOWN_KEYS.join(', ')}`);
  const [cart, payment, intent] = [
    bundle[V01_KEYS.cart],
    bundle[V01_KEYS.payment],
    bundle[V01_KEYS.intent],
  ];
  if (!isObject(cart) || !isObject(payment))
    return shape(
      V01_KEYS.cart,
      'cart and payment mandate are needed: nobody signs an intent alone',
    );
  const read = readCart(cart);
  if (!read.ok) return read;
  const paid = readPayment(payment, read.value);
  if (!paid.ok) return paid;
  const contents = payment['payment_mandate_contents'] as DecimalJson;
  const hashes = [ap2Hash(jcsOf(cart)), ap2Hash(jcsOf(contents))] as const;
  const authorization = readAuthorization(payment['user_authorization'], hashes);
  if (!authorization.ok) return authorization;
  const wanted =
    intent === undefined
      ? ok({ finding: null, expiresAtMs: null })
      : readIntent(intent, read.value);
  if (!wanted.ok) return wanted;
  const { root, link, binding, issuedAtMs, expiresAtMs: credentialEnd } = authorization.value;
  const ends = [read.value.expiresAtMs, credentialEnd, wanted.value.expiresAtMs].flatMap(
    (end) => end ?? [],
  );
  return ok({
    text,
    root,
    link,
    binding,
    merchantJws: read.value.merchantJws,
    cartHash: read.value.cartHash,
    merchantId: read.value.merchantId,
    total: read.value.total,
    cartRef: `ap2:${hashes[0]}`,
    paymentRef: `ap2:${hashes[1]}`,
    issuedAtMs,
    notBeforeAtMs: Math.max(read.value.signedAtMs, issuedAtMs),
    expiresAtMs: Math.min(...ends),
    finding: wanted.value.finding,
  });
}

interface Cart {
  readonly cartHash: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly detailsId: string;
  readonly total: Money;
  readonly merchantJws: UncheckedJws;
  readonly signedAtMs: InstantMs;
  readonly expiresAtMs: InstantMs;
}

function readCart({
  contents,
  merchant_authorization: authorization,
  ...others
}: SdObject): Result<Cart, ProofFault> {
  if (Object.keys(others).length > 0 || !isObject(contents) || typeof authorization !== 'string')
    return shape('contents', 'a cart mandate is contents and merchant_authorization');
  const read = new MemberReader(contents, 'contents.');
  const cartHash = read.text('id');
  const merchantName = read.text('merchant_name');
  const cartEndAtMs = read.instant('cart_expiry');
  const details = read.object('payment_request').object('details');
  const detailsId = details.text('id');
  read.adopt(details);
  if (read.fault !== null) return err(read.fault);
  if (!CORE_HASH.test(cartHash))
    return shape('contents.id', 'our carts are named by their core hash');
  const total = readAmount(details.raw('total'));
  if (total === null) return shape('contents.payment_request.details.total', NO_AMOUNT);
  const jws = parseToken(authorization, ['jwt', null]);
  if (!jws.ok) return jws;
  if (jws.value.header.kid === null)
    return shape('merchant_authorization.kid', 'it names the key of the merchant');
  const claims = new MemberReader(jws.value.claims, 'merchant_authorization.');
  const merchantId = claims.id('sub');
  const hash = claims.text('cart_hash');
  const signedAtMs = claims.seconds('iat');
  const endAtMs = claims.seconds('exp');
  if (
    endAtMs <= signedAtMs ||
    endAtMs - signedAtMs > MERCHANT_AUTHORIZATION_LIFE_SECONDS_MAX * 1_000
  )
    claims.fail('exp', `it lives at most ${MERCHANT_AUTHORIZATION_LIFE_SECONDS_MAX} s`);
  if (claims.fault !== null) return err(claims.fault);
  if (hash !== ap2Hash(jcsOf(contents)))
    return err(
      fault('signature', 'merchant_authorization.cart_hash', 'the merchant signed other contents'),
    );
  const expiresAtMs = Math.min(cartEndAtMs, endAtMs);
  const merchantJws = jws.value;
  return ok({
    cartHash,
    merchantId,
    merchantName,
    detailsId,
    total,
    merchantJws,
    signedAtMs,
    expiresAtMs,
  });
}

const NO_AMOUNT = 'an amount {currency, value} above zero, as precise as its currency, is needed';

/** `{label, amount: {currency, value}}` in major units. */
function readAmount(item: unknown): Money | null {
  if (!isObject(item as DecimalJson)) return null;
  const { amount } = item as SdObject;
  if (!isObject(amount) || typeof amount['currency'] !== 'string') return null;
  const currency = amount['currency'];
  const amountMinor = minorOfMajor(amount['value'], currency);
  return amountMinor === null || amountMinor === 0n ? null : { amountMinor, currency };
}

function readPayment(payment: SdObject, cart: Cart): Result<null, ProofFault> {
  const { payment_mandate_contents: contents } = payment;
  if (!isObject(contents)) return shape('payment_mandate_contents', 'an object is needed');
  const read = new MemberReader(contents, 'payment_mandate_contents.');
  read.text('payment_mandate_id');
  const detailsId = read.text('payment_details_id');
  read.instant('timestamp');
  read.object('payment_response');
  if (read.fault !== null) return err(read.fault);
  const total = readAmount(contents['payment_details_total']);
  if (total === null) return shape('payment_mandate_contents.payment_details_total', NO_AMOUNT);
  const isSame =
    detailsId === cart.detailsId &&
    total.currency === cart.total.currency &&
    total.amountMinor === cart.total.amountMinor;
  return isSame
    ? ok(null)
    : err(
        fault(
          'lineage',
          'payment_mandate_contents',
          'the payment is for another cart or another total',
        ),
      );
}

type Authorization = Pick<V01Purchase, 'root' | 'link' | 'binding' | 'issuedAtMs'> & {
  readonly expiresAtMs: InstantMs | null;
};

/** `<SD-JWT>~...~<kb+jwt>`: the credential of the user, and what its holder approved with it. */
function readAuthorization(
  value: DecimalJson | undefined,
  hashes: readonly string[],
): Result<Authorization, ProofFault> {
  const at = typeof value === 'string' ? value.lastIndexOf('~') + 1 : 0;
  if (typeof value !== 'string' || at === 0)
    return shape('user_authorization', 'an SD-JWT with a key binding is needed');
  const [rootText, bindingText] = [value.slice(0, at), value.slice(at)];
  const typ = typOf(rootText);
  if (typ === null || !ROOT_TYP.test(typ))
    return shape('user_authorization', 'the typ of a credential is <something>+sd-jwt');
  const token = parseSdToken(rootText, [typ]);
  if (!token.ok) return token;
  const root = new MemberReader(token.value.payload, 'user_authorization.');
  const issuer = root.optionalText('iss');
  const subject = root.optionalText('sub');
  const issuedAtMs = root.has('iat') ? root.seconds('iat') : null;
  const expiresAtMs = root.has('exp') ? root.seconds('exp') : null;
  const ownStatus = root.raw('status') === undefined ? null : root.status();
  const key = parsePublicJwk(root.object('cnf').raw('jwk'));
  if (!key.ok) root.fail('cnf.jwk', `this is no usable public key: ${key.error}`);
  if (root.fault !== null || !key.ok) return err(root.fault ?? fault('shape', 'cnf', 'no key'));
  const { kid } = token.value.jws.header;
  if (kid === null)
    return shape('user_authorization.kid', 'a credential names the key of its issuer');
  const jws = parseToken(bindingText, ['kb+jwt']);
  if (!jws.ok) return jws;
  const read = new MemberReader(jws.value.claims, 'key_binding.');
  const boundAtMs = read.seconds('iat');
  const audiences = typeof read.raw('aud') === 'string' ? [read.text('aud')] : read.texts('aud');
  const nonce = read.text('nonce');
  const hash = read.text('sd_hash');
  const approved = read.texts('transaction_data');
  if (read.fault !== null) return err(read.fault);
  if (hash !== ap2Hash(rootText))
    return err(fault('signature', 'key_binding.sd_hash', 'it binds another credential'));
  if (approved.length !== hashes.length || !hashes.every((one) => approved.includes(one)))
    return err(
      fault('signature', 'key_binding.transaction_data', 'it approves another cart or payment'),
    );
  return ok({
    root: { token: token.value, issuer, kid, subject, issuedAtMs, ownStatus },
    link: { jws: jws.value, key: key.value },
    binding: { audiences, nonce },
    issuedAtMs: boundAtMs,
    expiresAtMs,
  });
}

/** An intent beside a signed cart narrows it, and never gives anything: nobody signed it. */
function readIntent(
  intent: DecimalJson,
  cart: Cart,
): Result<
  { readonly finding: ConstraintFinding | null; readonly expiresAtMs: InstantMs },
  ProofFault
> {
  if (!isObject(intent)) return shape(V01_KEYS.intent, 'an object is needed');
  const { merchants, skus, requires_refundability: refundable, intent_expiry: end } = intent;
  const expiresAtMs = typeof end === 'string' ? parseInstant(end) : null;
  if (expiresAtMs === null) return shape('intent_expiry', 'an RFC 3339 time with offset is needed');
  const isListed =
    merchants === undefined ||
    merchants === null ||
    (isList(merchants) &&
      (merchants.includes(cart.merchantId) || merchants.includes(cart.merchantName)));
  const found = (verdict: ConstraintFinding['verdict'], constraint: string, detail: string) =>
    ok({ expiresAtMs, finding: { verdict, constraint, detail } });
  if (!isListed) return found('violated', 'merchants', 'the intent names other merchants');
  if (skus !== undefined && skus !== null)
    return found('unresolved', 'skus', 'a cart of version 0.1 names no skus');
  if (refundable !== undefined && refundable !== null && refundable !== false)
    return found('unresolved', 'requires_refundability', 'nothing says that it can be refunded');
  return ok({ expiresAtMs, finding: null });
}
