import type { ChargeRail, LinkRail, Rails, RefundRail } from '../payments/index.js';

/** The rails of this deployment by the names of their providers. */
export class RailDirectory implements Rails {
  readonly #links: ReadonlyMap<string, LinkRail>;
  readonly #charges: ReadonlyMap<string, ChargeRail>;
  readonly #refunds: ReadonlyMap<string, RefundRail>;

  constructor(rails: {
    readonly links: readonly LinkRail[];
    readonly charges: readonly ChargeRail[];
    readonly refunds: readonly RefundRail[];
  }) {
    this.#links = byProvider(rails.links);
    this.#charges = byProvider(rails.charges);
    this.#refunds = byProvider(rails.refunds);
  }

  linkRail(provider: string): LinkRail | null {
    return this.#links.get(provider) ?? null;
  }

  chargeRail(provider: string): ChargeRail | null {
    return this.#charges.get(provider) ?? null;
  }

  refundRail(provider: string): RefundRail | null {
    return this.#refunds.get(provider) ?? null;
  }
}

const byProvider = <Rail extends { readonly provider: string }>(
  rails: readonly Rail[],
): ReadonlyMap<string, Rail> => new Map(rails.map((rail) => [rail.provider, rail]));
