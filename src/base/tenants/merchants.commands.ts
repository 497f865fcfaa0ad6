import { err, invariant, ok, type Problem, problem, type Result } from '../../core/kernel/index.js';
import { checkLimits, type LimitsDraft } from '../../core/rules/index.js';
import { cell, type Command, type CommandContext, dataOf, event } from '../ledger/index.js';
import { noSuchMerchant } from './access.js';
import type { LimitsVersion, Merchant } from './merchants.store.js';
import {
  currentLimits,
  merchantAgentPaymentSwitched,
  merchantChanged,
  merchantCreated,
  merchantLimitsSet,
  merchantReviewCopySwitched,
  merchants,
} from './merchants.ledger.js';
import {
  profileOf,
  railsOf,
  type RbiProfile,
  settleRbi,
  type SwitchableRail,
} from './rbi-settings.js';

/** What a merchant says about itself. `rbiRails` null = those the profile switches on by default. */
export interface MerchantDraft {
  readonly name: string;
  readonly country: string;
  readonly rbiProfile: RbiProfile | null;
  readonly rbiRails: readonly SwitchableRail[] | null;
}

/** Problems, in order: validation_failed (see settleRbi), conflict (the id is taken). */
export function createMerchant(
  context: CommandContext,
  { merchantId, ...draft }: MerchantDraft & { readonly merchantId: string },
): Command<Merchant> {
  return {
    ...context,
    name: 'merchant.create',
    reads: [cell(merchants, merchantId)],
    decide(view) {
      const settled = settleRbi(draft);
      if (!settled.ok) return settled;
      if (view.get(merchants, [merchantId]) !== undefined) return err(taken(merchantId));
      const data = { merchantId, name: draft.name, ...settled.value };
      return ok({ events: [event(merchantCreated, data)] });
    },
    answer(entries) {
      const created = dataOf(entries, merchantCreated);
      invariant(created !== null, 'creating a merchant is one entry');
      return {
        ...created,
        agentPaymentEnabled: false,
        copiesRefusalsToReviewQueue: false,
        limitsVersion: null,
      };
    },
  };
}

/** Changes the named members and keeps the others. Problems, in order: not_found, validation_failed (see settleRbi). */
export function changeMerchant(
  context: CommandContext,
  { merchantId, change }: { merchantId: string; change: Partial<MerchantDraft> },
): Command<string> {
  return {
    ...context,
    name: 'merchant.change',
    reads: [cell(merchants, merchantId)],
    decide(view) {
      const row = view.get(merchants, [merchantId]);
      if (row === undefined) return err(noSuchMerchant(merchantId));
      const { name = row.name, country = row.country } = change;
      const stored = profileOf(row.rbiProfile);
      const { rbiProfile = stored } = change;
      // A changed profile starts from its own defaults, not from the rails of the one before.
      const { rbiRails = rbiProfile === stored ? railsOf(row.rbiRails) : null } = change;
      const settled = settleRbi({ country, rbiProfile, rbiRails });
      if (!settled.ok) return settled;
      return ok({ events: [event(merchantChanged, { merchantId, name, ...settled.value })] });
    },
    answer: () => merchantId,
  };
}

/**
 * The merchant's switch of agent-executed payment; the deployment has one of its own, and both are needed
 * (facts/arbiter.md O1). What is so already is answered as success without an entry. Problem: not_found.
 */
export function switchAgentPayment(
  context: CommandContext,
  { merchantId, enabled }: { merchantId: string; enabled: boolean },
): Command<string> {
  return {
    ...context,
    name: 'merchant.switch_agent_payment',
    reads: [cell(merchants, merchantId)],
    decide(view) {
      const row = view.get(merchants, [merchantId]);
      if (row === undefined) return err(noSuchMerchant(merchantId));
      const changes = row.agentPaymentEnabled !== enabled;
      return ok({
        events: changes ? [event(merchantAgentPaymentSwitched, { merchantId, enabled })] : [],
      });
    },
    answer: () => merchantId,
  };
}

/**
 * Whether the merchant's refusals are copied to the review queue. It changes no decision. What is so already is answered as
 * success without an entry. Problem: not_found.
 */
export function switchReviewCopy(
  context: CommandContext,
  { merchantId, enabled }: { merchantId: string; enabled: boolean },
): Command<string> {
  return {
    ...context,
    name: 'merchant.switch_review_copy',
    reads: [cell(merchants, merchantId)],
    decide(view) {
      const row = view.get(merchants, [merchantId]);
      if (row === undefined) return err(noSuchMerchant(merchantId));
      const changes = (row.reviewCopySinceSeq !== null) !== enabled;
      return ok({
        events: changes ? [event(merchantReviewCopySwitched, { merchantId, enabled })] : [],
      });
    },
    answer: () => merchantId,
  };
}

/**
 * Version n + 1 of a merchant's limits, in force from this entry on.
 * Problems, in order: validation_failed (see checkLimits), not_found (no such merchant).
 */
export function setLimits(
  context: CommandContext,
  { merchantId, limits }: { merchantId: string; limits: LimitsDraft },
): Command<LimitsVersion> {
  return {
    ...context,
    name: 'merchant_limits.set',
    reads: [cell(merchants, merchantId), cell(currentLimits, merchantId)],
    decide(view) {
      const checked: Result<LimitsDraft, Problem> = checkLimits(limits);
      if (!checked.ok) return checked;
      if (view.get(merchants, [merchantId]) === undefined) return err(noSuchMerchant(merchantId));
      const version = (view.get(currentLimits, [merchantId])?.version ?? 0) + 1;
      const data = { merchantId, limits: { version, ...checked.value } };
      return ok({ events: [event(merchantLimitsSet, data)] });
    },
    answer(entries) {
      const set = dataOf(entries, merchantLimitsSet);
      const [entry] = entries;
      invariant(set !== null && entry !== undefined, 'setting limits is one entry');
      return { limits: set.limits, setAtMs: entry.atMs };
    },
  };
}

const taken = (merchantId: string): Problem =>
  problem('conflict', `There is a merchant ${merchantId} already.`, {
    fix: 'Choose another merchant_id, or change that merchant with PATCH.',
    field: '/merchant_id',
  });
