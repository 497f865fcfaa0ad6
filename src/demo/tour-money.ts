import type { HttpAsk } from './http-caller.js';
import { BUYER, PRODUCTS, SHOP } from './demo-world.js';
import { ALLOWED_HANDOFF, ALLOWED_PURCHASE, type Body, cartOf } from './purchases.js';
import type { SeededTenant } from './seed.js';
import { DAY_LIMITS } from './seed.js';
import { inr, refusesMoney, type TourResult, type TourStep } from './tour.js';

/** What takes the steps of this chapter: at once, or as soon as they come true (what a webhook changes). */
export interface Stage {
  take(step: TourStep): Promise<TourResult>;
  takeOnceTrue(step: TourStep): Promise<TourResult>;
}

const [CHAI] = PRODUCTS;
const PURCHASE = inr('91800');

/**
 * The chapter about money: a link is paid, refunded, an allow used twice, a day filled, an agent's payment switched off,
 * stock sold out, a buyer erased.
 */
export async function moneyChapter(stage: Stage): Promise<void> {
  await linkThatIsPaid(stage);
  await allowUsedTwice(stage);
  await fullDay(stage);
  await switchedOff(stage);
  await soldOut(stage);
  await erasedBuyer(stage);
}
