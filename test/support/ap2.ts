import { randomBytes } from 'node:crypto';
import { ap2Hash, compactToken, encodeBase64url } from '../../src/core/proofs/index.js';
import { makeKey, sign, type SigningPair } from './issuer.js';

/** Any JSON: what AP2 signs may hold fractions, which our own tokens never do. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [member: string]: Json | undefined };
export type JsonMembers = { readonly [member: string]: Json | undefined };

const encode = (value: unknown): string => encodeBase64url(JSON.stringify(value));

/** Collects the disclosures of one token while its payload is written. */
export class Disclosures {
  readonly encoded: string[] = [];

  /** An array element that only the disclosure shows. */
  element(value: Json, salt = freshSalt()): Json {
    return { '...': this.#add([salt, value]) };
  }

  /** A digest for `_sd`. */
  member(name: string, value: Json, salt = freshSalt()): string {
    return this.#add([salt, name, value]);
  }

  #add(disclosure: readonly Json[]): string {
    const encoded = encode(disclosure);
    this.encoded.push(encoded);
    return ap2Hash(encoded);
  }
}

const freshSalt = (): string => randomBytes(16).toString('base64url');

/** `<jwt>~<disclosures>~`, signed as it is: whatever a test wants to be wrong can be wrong. */
export function sdToken(
  key: SigningPair,
  {
    header,
    payload,
    disclosures,
  }: { header: JsonMembers; payload: JsonMembers; disclosures: readonly string[] },
): string {
  const input = `${encode({ alg: key.alg, ...header })}.${encode(payload)}`;
  return [compactToken(input, sign(key, input)), ...disclosures, ''].join('~');
}

/** Joined as they are presented: each but the last loses its last `~`. */
export const joined = (...tokens: readonly string[]): string =>
  tokens.map((token, index) => (index < tokens.length - 1 ? token.slice(0, -1) : token)).join('~~');

export interface MandateToken {
  readonly key: SigningPair;
  readonly header?: JsonMembers;
  /** Members of the JWT payload beside `delegate_payload`. */
  readonly payload?: JsonMembers;
  readonly mandate: (disclosures: Disclosures) => JsonMembers;
}

/** A token that carries one mandate object as a disclosed element. */
export function mandateSdToken({ key, header = {}, payload = {}, mandate }: MandateToken): string {
  const disclosures = new Disclosures();
  const object = mandate(disclosures);
  const element = disclosures.element(object);
  return sdToken(key, {
    header: { typ: 'dc+sd-jwt', kid: key.kid, ...header },
    payload: { delegate_payload: [element], _sd_alg: 'sha-256', ...payload },
    disclosures: disclosures.encoded,
  });
}

/** A token that the holder of the one before signs. */
export const boundSdToken = (
  previous: string,
  { header, payload, ...rest }: MandateToken,
  iat: number,
): string =>
  mandateSdToken({
    ...rest,
    header: { typ: 'kb+sd-jwt', kid: undefined, ...header },
    payload: { iat, aud: 'grantex-commerce', nonce: 'n-1', sd_hash: ap2Hash(previous), ...payload },
  });

export interface Ap2World {
  /** Whole seconds. */
  readonly now: number;
  /** Signs open mandates, and closed ones where the buyer is there. */
  readonly provider: SigningPair;
  readonly agent: SigningPair;
  /** The merchant's own key. */
  readonly merchant: SigningPair;
  readonly merchantId: string;
  readonly subject: string;
}

export const ap2World = (change: Partial<Ap2World> = {}): Ap2World => ({
  now: 1_796_000_000,
  provider: makeKey('ES256'),
  agent: makeKey('ES256'),
  merchant: makeKey('ES256'),
  merchantId: 'shop-1',
  subject: 'buyer@example.org',
  ...change,
});

export const merchantOf = ({ merchantId }: Ap2World): JsonMembers => ({
  id: merchantId,
  name: 'A shop',
  website: 'https://shop.example',
});

/** A compact JWT of anybody. */
export function jwt(key: SigningPair, payload: JsonMembers, header: JsonMembers = {}): string {
  const input = `${encode({ alg: key.alg, typ: 'JWT', kid: key.kid, ...header })}.${encode(payload)}`;
  return compactToken(input, sign(key, input));
}

/** One tea at 20.99 rupees, as a checkout of the merchant. */
export const checkoutPayload = (world: Ap2World, change: JsonMembers = {}): JsonMembers => ({
  id: 'chk_1',
  merchant: merchantOf(world),
  line_items: [
    {
      id: 'li_0',
      item: { id: 'tea-100g', product_id: 'tea', title: 'Tea', price: 2_099 },
      quantity: 1,
    },
  ],
  status: 'incomplete',
  currency: 'INR',
  totals: [
    { type: 'subtotal', amount: 2_099 },
    { type: 'total', amount: 2_099 },
  ],
  ...change,
});

export const checkoutJwt = (world: Ap2World, change: JsonMembers = {}): string =>
  jwt(world.merchant, checkoutPayload(world, change));

export interface ChainOptions {
  readonly open?: Partial<MandateToken>;
  readonly closed?: Partial<MandateToken>;
  /** Replaces constraints of the open mandate. */
  readonly constraints?: (disclosures: Disclosures) => readonly Json[];
  readonly openMembers?: JsonMembers;
  readonly closedMembers?: JsonMembers;
}

const cnf = ({ jwk }: SigningPair): Json => ({
  jwk: { kty: jwk['kty'] ?? '', crv: jwk['crv'] ?? '', x: jwk['x'] ?? '', y: jwk['y'] ?? '' },
});

const lineItems = (disclosures: Disclosures): Json => ({
  type: 'checkout.line_items',
  items: [
    {
      id: 'line_1',
      acceptable_items: [disclosures.element({ id: 'tea-100g', title: 'Tea' })],
      quantity: 1,
    },
  ],
});

export function openCheckout(world: Ap2World, options: ChainOptions = {}): string {
  const { constraints = (disclosures) => [lineItems(disclosures)] } = options;
  return mandateSdToken({
    key: world.provider,
    payload: { sub: world.subject, ...options.open?.payload },
    header: options.open?.header ?? {},
    mandate:
      options.open?.mandate ??
      ((disclosures) => ({
        vct: 'mandate.checkout.open.1',
        constraints: constraints(disclosures),
        cnf: cnf(world.agent),
        iat: world.now - 60,
        exp: world.now + 3_600,
        ...options.openMembers,
      })),
  });
}

const closedCheckoutObject =
  (checkout: string, members: JsonMembers = {}) =>
  (disclosures: Disclosures): JsonMembers => ({
    vct: 'mandate.checkout.1',
    checkout_hash: ap2Hash(checkout),
    _sd: [disclosures.member('checkout_jwt', checkout)],
    ...members,
  });

export const closedCheckout = (
  world: Ap2World,
  { open, checkout }: { open: string; checkout: string },
  options: ChainOptions = {},
): string =>
  boundSdToken(
    open,
    {
      key: world.agent,
      mandate: closedCheckoutObject(checkout, options.closedMembers),
      ...options.closed,
    },
    world.now,
  );

/** The buyer is there: the provider signs the closed checkout after it was shown. */
export const directCheckout = (
  world: Ap2World,
  checkout: string,
  options: ChainOptions = {},
): string =>
  mandateSdToken({
    key: world.provider,
    payload: {
      sub: world.subject,
      iat: world.now,
      exp: world.now + 600,
      ...options.closed?.payload,
    },
    header: options.closed?.header ?? {},
    mandate: closedCheckoutObject(checkout, options.closedMembers),
  });

export const AMOUNT_RANGE = { type: 'payment.amount_range', currency: 'INR', max: 5_000 } as const;

export function openPayment(
  world: Ap2World,
  openCheckoutText: string,
  options: ChainOptions = {},
): string {
  const reference = {
    type: 'payment.reference',
    conditional_transaction_id: ap2Hash(openCheckoutText),
  };
  const { constraints = () => [AMOUNT_RANGE] } = options;
  return mandateSdToken({
    key: world.provider,
    payload: { sub: world.subject, ...options.open?.payload },
    header: options.open?.header ?? {},
    mandate: (disclosures) => ({
      vct: 'mandate.payment.open.1',
      constraints: [...constraints(disclosures), reference],
      cnf: cnf(world.agent),
      iat: world.now - 60,
      exp: world.now + 3_600,
      ...options.openMembers,
    }),
  });
}

export const paymentObject = (
  world: Ap2World,
  checkout: string,
  members: JsonMembers = {},
): JsonMembers => ({
  vct: 'mandate.payment.1',
  transaction_id: ap2Hash(checkout),
  payee: merchantOf(world),
  payment_amount: { amount: 2_099, currency: 'INR' },
  payment_instrument: { id: 'card-1', type: 'card' },
  ...members,
});

export const closedPayment = (
  world: Ap2World,
  { open, checkout }: { open: string; checkout: string },
  options: ChainOptions = {},
): string =>
  boundSdToken(
    open,
    {
      key: world.agent,
      mandate: () => paymentObject(world, checkout, options.closedMembers),
      ...options.closed,
    },
    world.now,
  );

export interface Ap2Purchase {
  readonly checkout: string;
  readonly openCheckout: string;
  readonly openPayment: string;
  readonly checkoutChain: string;
  readonly paymentChain: string;
}

/** An absent buyer's purchase: two chains that belong together, good unless the options say otherwise. */
export function absentPurchase(
  world: Ap2World,
  options: {
    readonly checkout?: ChainOptions;
    readonly payment?: ChainOptions;
    readonly payload?: JsonMembers;
    /** Signed by somebody who has the merchant's key. */
    readonly checkoutJwt?: string;
  } = {},
): Ap2Purchase {
  const checkout = options.checkoutJwt ?? checkoutJwt(world, options.payload);
  const openedCheckout = openCheckout(world, options.checkout);
  const openedPayment = openPayment(world, openedCheckout, options.payment);
  return {
    checkout,
    openCheckout: openedCheckout,
    openPayment: openedPayment,
    checkoutChain: joined(
      openedCheckout,
      closedCheckout(world, { open: openedCheckout, checkout }, options.checkout),
    ),
    paymentChain: joined(
      openedPayment,
      closedPayment(world, { open: openedPayment, checkout }, options.payment),
    ),
  };
}
