import { artifactIdOf, CREDENTIAL_IDS, PRODUCTS, SHOP } from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF, ALLOWED_PURCHASE, cartOf } from '../../src/demo/purchases.js';
import { debitOf } from '../arbiter/debits.js';
import type { Shop } from '../arbiter/shop.js';
import { allowed, consume, SHOP_PATH } from '../arbiter/uses.js';

const [CHAI] = PRODUCTS;
const { cart } = ALLOWED_HANDOFF;
const PAYMENT = CREDENTIAL_IDS.shop.payment;
const PRICE = artifactIdOf({ merchantId: SHOP, type: 'price', product: CHAI });

const WIDE = {
  currencies: [{ currency: 'INR', order_max_minor: '5000000' }],
  items_max: 20,
  not_present: { currency: 'INR', order_max_minor: '1000000', items_max: 5 },
};

/**
 * Allows that are used, and refused at the use, each by a decision of its own; debits under a mandate that a provider
 * reports, with authentication and with a debit under way. Since ruleset 2.
 */
export async function useAllows(shop: Shop): Promise<void> {
  const set = async (path: string, body: unknown, method = 'PUT') => {
    const answer = await shop.call(method, path, { as: 'tenant_admin', body });
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  };
  const status = (subject: string, to: string) =>
    set('/v1/revocations', { subject_id: subject, status: to, reason_code: 'other' }, 'POST');
  const limits = (change: object) => set(`${SHOP_PATH}/limits`, { ...WIDE, ...change });
  await limits({});

  const handoff = await allowed(shop, ALLOWED_HANDOFF);
  await limits({
    currencies: [{ currency: 'INR', order_max_minor: '91799' }],
    not_present: null,
  });
  await consume(shop, handoff, { cart });
  await limits({});
  await status(PRICE, 'suspended');
  await consume(shop, handoff, { cart });
  await status(PRICE, 'valid');
  await consume(shop, handoff, { cart });
  await consume(shop, handoff, { cart });

  const purchase = await allowed(shop, ALLOWED_PURCHASE);
  await status(PAYMENT, 'suspended');
  await consume(shop, purchase, { cart });
  await status(PAYMENT, 'valid');
  await limits({ not_present: null });
  await consume(shop, purchase, { cart });
  await limits({});
  await consume(shop, purchase, { cart });
  await shop.ask(ALLOWED_PURCHASE);
  await useDebits(shop, set);
}

async function useDebits(
  shop: Shop,
  set: (path: string, body: unknown, method: string) => Promise<void>,
): Promise<void> {
  await set(SHOP_PATH, { rbi_rails: ['upi_autopay', 'upi_reserve_pay', 'upi_otm'] }, 'PATCH');
  const body = { cart: cartOf(CHAI, 1) };
  const debit = await debitOf(shop);
  await debit.pay();
  await debit.mandate();
  await debit.pay({ evidence: await debit.evidence() });
  const notice = await debit.notice();
  const first = await debit.pay({ notice });
  await debit.renew();
  const second = await debit.pay({ notice });
  await consume(shop, first.decision_id, body);
  await consume(shop, second.decision_id, body);
}
