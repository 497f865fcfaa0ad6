import type {
  DecisionId,
  InstantMs,
  MerchantId,
  Money,
  OrderId,
  TenantId,
} from '../../core/kernel/index.js';

/** What was allowed and used: everything a rail may rely on. */
export interface ConsumedAllowParts {
  readonly tenantId: TenantId;
  readonly decisionId: DecisionId;
  /** `pay_…` of a link or charge, `rfd_…` of a refund: the reference that the provider is given. */
  readonly reference: string;
  readonly flow: 'handoff' | 'agent_payment' | 'refund';
  readonly merchantId: MerchantId;
  readonly orderId: OrderId;
  readonly money: Money;
  readonly usedAtMs: InstantMs;
  readonly usedEntrySeq: number;
}

let build: (parts: ConsumedAllowParts) => ConsumedAllow;

/**
 * Proof that an allow was used. Rails take nothing else, so no code path reaches a provider without one.
 * INVARIANT: only {@link consumedAllow} builds it, and only the answer of the consuming transaction may import that (a
 * rule of dependency-cruiser holds it): whoever has one, has a committed entry `allow.used`.
 */
export class ConsumedAllow {
  readonly #parts: ConsumedAllowParts;

  private constructor(parts: ConsumedAllowParts) {
    this.#parts = Object.freeze({ ...parts, money: Object.freeze({ ...parts.money }) });
  }

  static {
    build = (parts) => new ConsumedAllow(parts);
  }

  /** Throws for a look-alike: a private member cannot be forged. */
  get parts(): ConsumedAllowParts {
    return this.#parts;
  }
}

/** Not exported by the room's face; see the invariant above. */
export const consumedAllow = (parts: ConsumedAllowParts): ConsumedAllow => build(parts);
