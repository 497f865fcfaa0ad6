import { freshId, type JsonObject, makeKey, signToken, type SigningPair } from './issuer.js';

/** A pretended payment provider and the tenant it reports to. */
export interface ProviderScene {
  readonly key: SigningPair;
  readonly issuer: string;
  readonly tenantId: string;
  readonly merchantId: string;
  readonly mandateRef: string;
  readonly atMs: number;
}

export const providerScene = (scene: Omit<ProviderScene, 'key' | 'issuer'>): ProviderScene => ({
  key: makeKey('ES256'),
  issuer: 'https://psp.example',
  ...scene,
});

export const MINUTE_SECONDS = 60;
export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;

export const secondsOf = (atMs: number): number => Math.floor(atMs / 1_000);

interface ReportOptions {
  /** Claims to replace; `undefined` removes one. */
  readonly claims?: JsonObject;
  readonly header?: JsonObject;
}

const common = (scene: ProviderScene): JsonObject => ({
  iss: scene.issuer,
  aud: 'grantex-commerce',
  jti: freshId('rep'),
  iat: secondsOf(scene.atMs),
  tenant_id: scene.tenantId,
  merchant_id: scene.merchantId,
  mandate_ref: scene.mandateRef,
});

/** The buyer gave the UPI PIN a minute ago for INR 459.00. */
export const evidenceToken = (
  scene: ProviderScene,
  { claims, header }: ReportOptions = {},
): string =>
  signToken(scene.key, {
    typ: 'afa-evidence+jwt',
    header,
    claims: {
      ...common(scene),
      exp: secondsOf(scene.atMs) + 10 * MINUTE_SECONDS,
      amount: { amount: '45900', currency: 'INR' },
      method: 'upi_pin',
      factors: [
        { class: 'knows', dynamic: false },
        { class: 'has', dynamic: true },
      ],
      asserted_by: 'psp',
      performed_at: secondsOf(scene.atMs) - MINUTE_SECONDS,
      provider_ref: freshId('rrn'),
      ...claims,
    },
  });

/** Delivered 30 hours ago, for the fourth debit of INR 459.00. */
export const noticeToken = (scene: ProviderScene, { claims, header }: ReportOptions = {}): string =>
  signToken(scene.key, {
    typ: 'pre-debit-notice+jwt',
    header,
    claims: {
      ...common(scene),
      notice_ref: freshId('pdn'),
      version: 1,
      seq: 4,
      amount: { amount: '45900', currency: 'INR' },
      scheduled_for: secondsOf(scene.atMs),
      payee_name: 'Chai House',
      reason: 'monthly tea',
      delivery: 'delivered',
      sent_at: secondsOf(scene.atMs) - 30 * HOUR_SECONDS - MINUTE_SECONDS,
      delivered_at: secondsOf(scene.atMs) - 30 * HOUR_SECONDS,
      ...claims,
    },
  });

/** A live monthly UPI AutoPay mandate of INR 10,000.00 with three debits so far, the last one a month ago. */
export const mandateStateToken = (
  scene: ProviderScene,
  { claims, header }: ReportOptions = {},
): string =>
  signToken(scene.key, {
    typ: 'payment-mandate-state+jwt',
    header,
    claims: {
      ...common(scene),
      version: 1,
      rail: 'upi_autopay',
      status: 'live',
      kind: 'variable',
      limit: { amount: '1000000', currency: 'INR' },
      frequency: 'monthly',
      valid_from: secondsOf(scene.atMs) - 120 * DAY_SECONDS,
      valid_to: secondsOf(scene.atMs) + 120 * DAY_SECONDS,
      registered_at: secondsOf(scene.atMs) - 120 * DAY_SECONDS,
      registration_afa_ref: freshId('rrn'),
      terms_changed_since_afa: false,
      last_seq: 3,
      last_debited_at: secondsOf(scene.atMs) - 31 * DAY_SECONDS,
      ...claims,
    },
  });
